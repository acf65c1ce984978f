set multiplot title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set size 1,0.46
set origin 0,0.48
set xlabel 'time t/T [-]'
set ylabel 'velocity of the centre of mass [L/T]'
plot 'row.csv' using 1:2 with lines lw 2 lt 3 title 'forward, on the row', \
     '' using 1:3 with lines lw 2 lt 1 title 'lateral', \
     'plane.csv' using 1:2 with lines lw 2 dt 2 lt 3 title 'forward, on the plane', \
     '' using 1:3 with lines lw 2 dt 2 lt 1 title 'lateral'
set size 1,0.48
set origin 0,0
set size ratio -1
set xlabel 'x [m]'
set ylabel 'y [m]'
set title 'on the row, the last period'
set cblabel 'height of the axis [mm]'
set xtics 0.1
set ytics 0.1
stats 'row_shapes.csv' using 1 nooutput
plot for [k=1:STATS_records/51] 'row_shapes.csv' every ::(51*k-50)::(51*k) using 3:4:(1e3*$5) with lines lw 3 lc palette notitle
unset multiplot
