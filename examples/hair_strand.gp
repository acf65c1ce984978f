set multiplot layout 1,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set xlabel 'time [s]' offset 0,0.5
set ylabel 'position of the tip [mm]'
set key outside below
plot 'tip.csv' using 1:2 with lines lw 2 lc rgb 'black' title 'explicit', \
     '' using 1:3 with points pt 6 lc 3 title 'steps of 25 ms', \
     '' using 1:4 with points pt 2 lc 2 title '6.25 ms'
set logscale
set format x '10^{%T}'
set xlabel 'error over the path'
set ylabel 'explicit over implicit processor time'
set xrange [1e-4:0.2]
set yrange [10:10000]
plot 'cost.csv' using 2:3 with linespoints pt 7 lc rgb 'black' title 'hair', 400 with lines dt 2 lc rgb 'gray50' title '400 times'
unset multiplot
