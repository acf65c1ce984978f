set multiplot layout 1,3 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set title 'at rest'
set xlabel 'x [m]' offset 0,0.5
set ylabel 'z [m]'
plot 'rest.csv' using 1:2 with linespoints pt 7 ps 0.3 lc 1 notitle
set title 'tension at the float'
set xlabel 'time over period' offset 0,0.5
set ylabel 'tension [kN]'
set key outside below
plot 'tension.csv' using ($1 == 160 ? $2 : NaN):3 with points pt 7 ps 0.6 lc 1 title '160 s', \
     '' using ($1 == 40 ? $2 : NaN):3 with points pt 7 ps 0.6 lc 2 title '40 s', \
     '' using ($1 == 6 ? $2 : NaN):3 with points pt 7 ps 0.6 lc 3 title (mode eq 'quick' ? '' : '6 s'), \
     '' using ($1 == 160 ? $2 : NaN):4 with lines lw 2 lc rgb 'black' title 'quasi-static'
set title 'range of the tension'
set xlabel 'period [s]' offset 0,0.5
set ylabel 'over the quasi-static one'
set logscale x
plot 'spectrum.csv' using 1:2 with linespoints pt 7 lc 1 notitle, 1 with lines dt 2 lc rgb 'gray50' notitle
unset multiplot
