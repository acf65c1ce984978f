# A finger on the part, and the forces on the part while the fingers are raised.
set multiplot layout 1,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set title 'finger at rest on the part'
set xlabel 'x [m]' offset 0,0.5
set ylabel 'z [m]'
set size ratio -1
set xrange [-0.025:0.065]
set xtics 0.02
set yrange [0:0.135]
set object 1 rectangle from -half,0 to half,height fillcolor rgb 'gray80' fillstyle solid
plot 'finger.csv' using 1:2 with lines lw 8 lc rgb '#9ecae1' title 'finger', '' using 1:2 with points pt 7 ps 0.6 lc 1 title 'nodes'
unset object 1
set size noratio
set xtics auto
set title 'lifting'
set xlabel 'time [s]' offset 0,0.5
set ylabel 'force on the part [N]'
set xrange [0:*]
set yrange [-0.02:0.16]
plot 'lift.csv' using ($1 > need ? $2 : NaN):($4 + $5) with lines lc 4 title 'normal, of both', \
     'lift.csv' using ($1 > need ? $2 : NaN):6 with lines lw 2 lc 1 title 'lift, enough friction', \
     'lift.csv' using ($1 < need ? $2 : NaN):6 with lines lw 2 lc 2 title 'lift, too little', \
     weight with lines dt 2 lc rgb 'black' title 'weight'
unset multiplot
