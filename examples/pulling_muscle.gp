set multiplot layout 1,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set xlabel 't [s]'
set title 'distance of the joints'
set ylabel '[mm]'
set xrange [0:10]
plot 'pulling_muscle.csv' using 1:(1e3*$2) with lines lw 2 lt 1 title 'links', \
     'published.csv' using 1:(1e3*$2) with points pt 6 ps 1.5 lw 2 lc rgb 'black' title 'published'
set title 'the muscle'
set ylabel 'stretch'
set yrange [0.6:1.05]
plot 'pulling_muscle.csv' using 1:4 with lines lw 2 lt 3 title 'rod', \
     '' using 1:(1/(1+$5/4.52389)) with lines lw 1.5 dt 2 lc rgb 'black' title 'statics, EA (1/e - 1) = F'
unset multiplot
