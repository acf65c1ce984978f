set multiplot layout 1,2 title heading
set logscale
set xrange [40:2000]
set format y '10^{%T}'
set title 'cost of a step'
set xlabel 'elements n [-]'
set ylabel 'processor time of a step [ns]'
set xtics (50, 100, 200, 400, 800, 1600)
stats 'sizes.csv' skip 1 using 3 every ::5 nooutput
plot STATS_min*x with lines lw 2 dt 2 lc rgb 'black' title 'in proportion to n', \
     'sizes.csv' using 1:2 with points pt 7 ps 1.2 lt 3 title 'cantilever'
unset logscale x
set xrange [-0.5:*]
set yrange [5e-7:*]
set offsets 0,0.5,0,0
unset xlabel
set ylabel 'step [s]'
set title 'rods of the paper, straight and at rest'
set xtics rotate by 50 right (@cases)
unset format
set format y '10^{%T}'
plot 'steps.csv' skip 1 using 0:5 with points pt 4 ps 2 lc rgb 'black' title 'theory: linear limit 2/{/Symbol w}_{max}', \
     '' skip 1 using 0:4 with points pt 7 ps 1.2 lt 3 title 'certified', \
     '' skip 1 using 0:3 with points pt 9 ps 1.4 lt 1 title 'of the paper', \
     '' skip 1 using 0:(0.01*$2) with points pt 2 ps 1.2 lt 6 title '0.01 s/m times the length of an element'
unset multiplot
