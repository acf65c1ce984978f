set multiplot layout 1,3 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set xlabel 's [m]' offset 0,0.5
set xrange [0:3]
set title 'deflection'
set ylabel 'y [mm]'
plot 'profile.csv' using 1:(1e3*$5) smooth csplines lw 2 lc 1 title 'Euler–Bernoulli', \
     '' using 1:(1e3*$4) smooth csplines lw 2 lc rgb 'black' title 'Timoshenko', \
     '' using 1:(1e3*$3) with points pt 6 ps 1.8 lw 2 lc 3 title 'rod, half-cell clamp', \
     '' using 1:(1e3*$2) with points pt 7 ps 0.8 lc 2 title 'rod, node and frame held'
set title 'less the solution of Timoshenko'
set ylabel 'y - y_{Timoshenko} [mm]'
set yrange [*:*]
plot 0 lw 2 lc rgb 'black' title 'Timoshenko', \
     'profile.csv' using 1:(1e3*($6-$4)) smooth csplines dt 2 lw 2 lc 4 title 'geometrically exact', \
     '' using 1:(1e3*($3-$4)) with points pt 6 ps 1.8 lw 2 lc 3 title 'rod, half-cell clamp', \
     '' using 1:(1e3*($2-$4)) with points pt 7 ps 0.8 lc 2 title 'rod, node and frame held'
set title 'convergence'
set logscale
set xrange [8:3000]
set yrange [*:*]
set format y '10^{%T}'
set xlabel 'n' offset 0,0.5
set ylabel 'error [m], [m^2], [m^{1.5}]'
plot 'errors.csv' using 1:2 with points pt 7 lc rgb 'black' title 'L_∞ from Timoshenko', \
     '' using 1:3 with points pt 7 lc 1 title 'L_1', \
     '' using 1:4 with points pt 7 lc 3 title 'L_2', \
     '' using 1:6 with lines dt 2 lc rgb 'black' title 'first order', \
     '' using 1:5 with points pt 6 ps 1.4 lw 2 lc 3 title 'L_∞ from exact, half-cell clamp', \
     '' using 1:7 with lines dt 4 lc rgb 'black' title 'second order'
unset multiplot
