set multiplot layout 1,3 title heading
set ylabel 'energy at the end [J]'
set yrange [0:*]
set key below maxrows 2
names = 'incline couple start'
array label[3] = ['angle of the incline {/Symbol a}_s [degrees]', 'couple C_s [N m]', 'moment of inertia {/Symbol l}/2 = J/(m r^2) [-]']
array above[3] = ['down an incline', 'driven by a couple', 'from slipping to rolling']
do for [k=1:3] {
  set xlabel label[k]
  set title above[k]
  plot word(names, k).'_theory.csv' using 1:2 with lines lw 2 lc rgb 'black' title 'theory, translation E_T', \
       '' using 1:3 with lines lw 2 dt 2 lc rgb 'black' title 'theory, rotation E_R', \
       word(names, k).'.csv' using 1:2 with points pt 7 ps 1.1 lt 1 title 'rod, translation E_T', \
       '' using 1:3 with points pt 7 ps 1.1 lt 2 title 'rod, rotation E_R'
}
unset multiplot
