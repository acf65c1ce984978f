set multiplot layout 1,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set title 'drawn tight'
set xlabel 'z [l0]'
set ylabel 'x [l0]'
set yrange [-6:6]
plot for [k=0:2] 'shape.csv' using ($1 == k ? -$4 : NaN):2 with lines lw 4 title 'strand '.k
set autoscale y
set xtics 5000
set title 'how it grows'
set xlabel 't [t0]'
set ylabel 'contacts'
set y2label 'length of the braid [l0]'
set y2tics
plot 'motion.csv' using 1:2 with lines lw 2 title 'contacts', '' using 1:6 axes x1y2 with lines lw 2 title 'length'
unset multiplot
