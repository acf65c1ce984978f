set title heading
set xlabel 'force F [N]'
set ylabel 'energy of translation at the end E_T [J]'
set xrange [0:20.5]
plot 'theory.csv' using 1:2 with lines lw 2 lc rgb 'black' title 'theory, forward', \
     '' using 1:3 with lines lw 2 dt 2 lc rgb 'black' title 'theory, backward', \
     'energy.csv' using 1:2 with points pt 7 ps 1.2 lt 1 title 'rod, forward', \
     '' using 1:3 with points pt 7 ps 1.2 lt 2 title 'rod, backward'
