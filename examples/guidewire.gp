# Force along the pulled thread and the pushed wire beside exp(mu theta); errors of the column in a duct, for stiffer layers.
set multiplot layout 1,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set title 'force along the wire, over that at the tip'
set xlabel 'angle of the bends between tip and wire [rad]' offset 0,0.5
set ylabel 'force [N]'
set logscale y
set xrange [-0.1:turn + 0.2]
set yrange [0.9:2.3]
set ytics (1, 1.2, 1.4, 1.6, 1.8, 2, 2.2)
set key inside top left vertical maxrows 5
plot exp(mu*x) with lines lc rgb 'black' title 'exp(μ θ)', \
     'force.csv' using ($1 > 0 ? turn - $3 : NaN):4 with points pt 7 ps 0.7 lc 2 title 'steel wire, pushed', \
     'force.csv' using ($1 < 0 ? turn - $3 : NaN):4 with points pt 7 ps 0.7 lc 1 title mode eq 'quick' ? '' : 'thread, pulled'
set title 'column in a straight duct'
set key inside bottom left
set xlabel 'modulus of the layer [Pa]' offset 0,0.5
set ylabel 'relative error' offset 1,0
set logscale
set format '10^{%T}'
set xtics auto
set ytics auto
set xrange [5e6:4e8]
set yrange [1e-5:1e-2]
plot for [k = 5:7:2] 'column.csv' using ($1 == k ? $2 : NaN):(abs($3)) with linespoints pt 7 lc k - 4 title 'wall force at '.k.' π^2 B/L^2', \
     for [k = 5:7:2] 'column.csv' using ($1 == k ? $2 : NaN):(abs($4)) with linespoints pt 6 lc k - 4 title 'shortening at '.k.' π^2 B/L^2', \
     3/sqrt(x) with lines dt 2 lc rgb 'black' title '(modulus)^{-1/2}'
unset multiplot
