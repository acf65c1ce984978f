set multiplot layout 1,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
level(x, y) = x > 0.09 && abs(y) < 1e-3
set title 'at the end, from the side'
set xlabel 'y [m]'
set ylabel 'z [m]'
set size ratio -1
set xrange [-0.12:0.16]
set yrange [-0.2:0.14]
set xtics 0.05
set object 1 circle at 0,0 size 0.09 fillcolor rgb 'gray90' fillstyle solid
plot 'shape.csv' using (level($1, $2) ? NaN : $2):3 with lines lw 1 lt 3 title 'strands', \
     '' using (level($1, $2) ? $2 : NaN):3 with lines lw 1 dt 2 lt 6 title 'the level strand, which hangs in front of the face'
unset object 1
set size noratio
set autoscale
set xtics auto
set title 'nod and swing'
set xlabel 't [s]'
set ylabel 'nod [rad]'
set yrange [-0.05:0.35]
set y2label 'fastest node [m/s]'
set y2tics
plot 'hair.csv' using 1:2 with lines lw 2 title 'nod', '' using 1:6 axes x1y2 with lines title 'fastest node'
unset multiplot
