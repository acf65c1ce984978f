set multiplot layout 1,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set title 'one beat, from dark to light (y drawn 5 times as large as x)'
set xlabel 'x [mm]'
set ylabel 'y [mm]'
set cbrange [0:14]
unset colorbox
set size ratio -5
plot for [k=0:14:2] 'shapes.csv' using (abs($1-0.02*k) < 1e-3 ? 1e3*$3 : NaN):(1e3*$4):(k) with lines lw 2 lc palette \
     title k ? '' : 'filament', \
     for [k=0:14:2] '' using (abs($1-0.02*k) < 1e-3 ? 1e3*$5 : NaN):(1e3*$6) with lines lw 4 lt 3 title k ? '' : 'cells'
set size noratio
set title 'node 9'
set xlabel 't [s]'
set ylabel 'x - x(0) [um]'
plot 'scaled.csv' using 1:(1e6*($2-0.9635e-3)) with lines lw 1 lt 1 title 'filament', \
     'published.csv' using 1:(1e6*($2-0.9635e-3)) with points pt 6 ps 1.5 lw 2 lc rgb 'black' title 'published', \
     2.9-9.83*x with lines lw 2 dt 2 lt 2 title '-9.83 um/s'
unset multiplot
