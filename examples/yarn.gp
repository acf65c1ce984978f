set multiplot layout 1,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set title 'drawn apart'
set xlabel 'f'
set ylabel 'distance of the halves [l0]'
set yrange [-0.1:1.2]
plot 'pulls.csv' using 4:5 with dots lt 1 notitle
set autoscale y
set title 'where they part'
set label 1 "slopes of 0.16 to 0.2 here, not 0.75: the torque is kept,\nso the twist falls as the tension rises" at graph 0.03,0.93 font ',13'
set cblabel 'friction μ' offset 1
set xlabel 'H = μ θ^2 R/L'
set ylabel 'ln(1 + f)'
set xrange [0:*]
set yrange [0:2]
plot 'points.csv' using 6:8:2 with points pt 6 ps 1.5 lw 2 palette title 'twist before', \
     '' using 10:8:2 with points pt 7 ps 1.5 palette title 'twist left', 0.75*x lc rgb 'black' dt 2 title '0.75 H', \
     log(2) + 0.75*x lc rgb 'black' dt 3 title 'ln 2 + 0.75 H'
unset multiplot
