set multiplot layout 1,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set title 'velocity'
set xlabel 'phase of the lifting wave [degrees]'
set ylabel '[L/T]'
set xrange [0:360]
set xtics 45
plot 'scales.csv' using 1:3 smooth unique with linespoints lw 2 pt 7 lt 1 title 'to the left', \
     '' using 1:2 smooth unique with linespoints lw 2 pt 7 lt 2 title 'towards the head'
set title 'seen from above, phase 90 degrees: the last period'
set xlabel 'x [m]'
set ylabel 'y [m]'
set autoscale
set xtics auto
set size ratio -1
set cblabel 'height of the axis [mm]'
plot for [k=1:10] 'right.csv' every ::(51*k-50)::(51*k) using 3:4:(1e3*$5) with lines lw 3 lc palette notitle, \
     'right.csv' using ($2 == 0 ? $3 : NaN):4 with points pt 7 lt 1 title 'head'
unset multiplot
