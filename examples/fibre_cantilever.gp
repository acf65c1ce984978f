set multiplot layout 1,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set logscale x
set xlabel 'F L^2/B'
set ylabel 'place of the tip [L]'
set title 'deflection and shortening'
plot 'loads.csv' using 1:6 with lines lc rgb 'black' title 'Bisshopp and Drucker', '' using 1:7 with lines lc rgb 'black' notitle, \
     '' using 1:2 with points pt 7 lt 1 title 'down', '' using 1:3 with points pt 7 lt 2 title 'along'
set logscale xy
set xlabel 'elements n'
set ylabel 'relative error of the deflection'
set title 'F L^2/B = 10'
set xrange [6:170]
plot 'orders.csv' using ($1 == 1 ? $2 : NaN):3 with linespoints pt 7 lt 1 title 'first element held', \
     '' using ($1 == 0 ? $2 : NaN):3 with linespoints pt 7 lt 2 title 'half-cell clamp', \
     0.5/x with lines dt 2 lc rgb 'gray50' title '1/n, 1/n^2', 0.4/x**2 with lines dt 2 lc rgb 'gray50' notitle
unset multiplot
