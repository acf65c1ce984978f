set multiplot layout 1,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set xlabel 't [s]'
set title 'energies'
set ylabel 'E [J]'
plot 'heap.csv' using 1:2 with lines lw 2 title 'all', '' using 1:3 with lines title 'motion', \
     '' using 1:4 with lines title 'contact'
set title 'overlap and contacts'
set ylabel 'deepest overlap [r]'
set y2label 'contacts'
set y2tics
plot 'heap.csv' using 1:5 with lines lw 2 title 'overlap', '' using 1:6 axes x1y2 with lines title 'contacts'
unset multiplot
