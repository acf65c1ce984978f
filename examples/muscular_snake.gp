set multiplot title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set size 1,0.46
set origin 0,0.48
set xlabel 'time [s]'
set ylabel 'mean velocity of the nodes [L/T]'
plot 'authors.csv' using 1:4 with lines lw 2 lt 3 title 'forward', '' using 1:5 with lines lw 2 lt 1 title 'lateral', \
     'cables.csv' using 1:4 with lines lw 1 lt 2 title 'forward, cables that press on the body', \
     0.587 with lines lw 2 dt 2 lc rgb 'black' title 'muscles that act everywhere'
set size 1,0.5
set origin 0,0
set size ratio -1
set xlabel 'x [m]'
set ylabel 'y [m]'
set ytics 0.1
stats 'authors_shapes.csv' using 1 nooutput
plot for [k=1:STATS_records/101] 'authors_shapes.csv' every ::(101*k-100)::(101*k) using 3:4 with lines lt 6 \
     title k == 1 ? 'body in the last period' : '', \
     '' using ($2 == 0 ? $3 : NaN):4 with points pt 7 lt 3 title 'its head'
unset multiplot
