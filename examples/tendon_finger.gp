set multiplot layout 1,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set title 'at rest'
set xlabel 'x [mm]'
set ylabel 'z [mm]'
set size ratio -1
plot for [k = 0:1] 'shapes.csv' using (($2 > 0) == k ? 1e3*$5 : NaN):(1e3*$6) with lines lc rgb 'black' \
     title k ? '' : 'arc', \
     '' using (1e3*$3):(1e3*$4) every 8 with points pt 7 ps 0.8 lt 1 title 'finger'
set size noratio
set title 'pulled by one cable, then by the other'
set xlabel 't [s]'
set ylabel 'x of the tip [mm]'
set y2label 'tension [N]'
set y2tics
set y2range [0:2.2]
plot 'motion.csv' using 1:(1e3*$2) with lines lw 2 lt 1 title 'tip', \
     '' using 1:4 axes x1y2 with lines lt 2 title 'flexor', '' using 1:5 axes x1y2 with lines lt 3 title 'extensor'
unset multiplot
