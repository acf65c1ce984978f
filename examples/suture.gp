set multiplot layout 1,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set title 'drawn aside'
set xlabel 'time [s]' offset 0,0.5
set ylabel 'way of the node between middle and end [mm]'
set key inside bottom right
plot 'drawn.csv' using 1:2 with lines lw 2 lc rgb 'black' title 'steps of 3.1 ms', \
     '' using 1:3 with points pt 6 lc 3 title 'steps of 50 ms', \
     '' using 1:4 with points pt 7 ps 0.4 lc 2 title 'explicit'
set title 'a knot is drawn tight'
set xlabel 'way of both ends [mm]' offset 0,0.5
set ylabel 'tension [N]'
set logscale y
set format y '10^{%T}'
set key inside top left
plot 'knot.csv' using 2:3 with lines lw 2 lc 1 title 'one end', \
     '' using 2:4 with points pt 7 ps 0.5 lc rgb 'black' title 'the other end'
unset multiplot
