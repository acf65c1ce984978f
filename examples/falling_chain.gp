times = mode eq 'quick' ? '0 500 800 1000' : '0 500 800 1000 1100 1200 1300 1400 1500 1600'
set title heading
set size ratio -1
set xlabel 'x [l0]'
set ylabel 'z [l0]'
set yrange [-42:*]
set xrange [-40:40]
set cbrange [0:1600]
set cblabel 'time [t0]'
set object circle at 0,-5 size 5 fillcolor rgb 'gray70' fillstyle solid
plot for [t in times] 'shapes.csv' using ($1 == t ? $2 : NaN):3:1 with lines lw 2.5 lc palette notitle
