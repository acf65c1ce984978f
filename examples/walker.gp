set multiplot layout 1,3 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set title 'fall, and first contraction'
set xlabel 't [s]'
set ylabel 'z of the beam [mm]'
plot 'fall.csv' using 1:3 with lines lw 2 lt 1 title 'rods', \
     'published.csv' using 1:3 with points pt 6 ps 1.5 lw 2 lc rgb 'black' title 'authors'
set title 'a ring'
set ylabel 'length [mm]'
set yrange [23.2:24.6]
plot 'fall.csv' using 1:4 with lines lw 2 lt 2 title 'rods', \
     'published.csv' using 1:4 with points pt 6 ps 1.5 lw 2 lc rgb 'black' title 'authors'
set title 'walks'
set yrange [*:*]
set ylabel '-y of the beam [mm]'
plot for [f in mode eq 'full' ? '2 1 0.5' : '2'] 'walks.csv' using 2:($1 == f ? -$3 : NaN) with lines lw 2 title f.' Hz'
unset multiplot
