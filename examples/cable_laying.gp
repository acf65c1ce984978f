# At rest beside the limp cable; under way beside the shape of Zajac; on the uneven bed, with the first integral of the tension.
set multiplot title heading noenhanced
set grid lt 1 lw 0.5 lc rgb 'gray80'
set key inside top left vertical maxrows 5
high = mode eq 'quick' ? 0.93 : 0.46
set size 0.5,high
set origin 0,0.93 - high
set title 'behind the chute'
set xlabel 'x from the chute [m]' offset 0,0.5
set ylabel 'z [m]'
set xrange [-20:1]
set yrange [-0.5:11]
plot 'rest.csv' using 1:3 with lines lc rgb 'black' title 'limp, at rest', \
     'rest.csv' using 1:2 with points pt 7 ps 0.5 lc 1 title 'cable at rest', \
     'under_way.csv' using 3:2 with lines dt 2 lc rgb 'black' title 'Zajac', \
     'under_way.csv' using 1:2 with points pt 7 ps 0.5 lc 2 title 'under way'
set origin 0.5,0.93 - high
set title 'touchdown at rest'
set xrange [-17:-13]
set yrange [0.04:0.2]
plot 'rest.csv' using 1:3 with lines lc rgb 'black' title 'limp', \
     'rest.csv' using 1:2 with linespoints pt 7 ps 0.6 lc 1 title 'cable'
if (mode ne 'quick') {
  set size 1,0.47
  set origin 0,0
  set title 'at rest on the uneven bed'
  set xlabel 'x [m]' offset 0,0.5
  set xrange [-25:42]
  set yrange [-0.5:11]
  set ytics nomirror
  set y2tics
  set y2label 'first integral [N]'
  set y2range [0:1400]
  plot 'uneven.csv' using 1:3 with filledcurves y1=-0.5 lc rgb 'gray70' title 'bed', \
       'uneven.csv' using 1:2 with lines lw 2 lc 1 title 'cable', \
       'uneven.csv' using 1:5 axes x1y2 with lines lc 2 title 'first integral'
}
unset multiplot
