set multiplot layout 1,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
spans = '0.5 0.6 0.8 0.9'
set title 'shape, n = '.n
set xlabel 'x [m]' offset 0,0.5
set ylabel 'z [m]'
set xrange [-0.02:0.92]
set yrange [-0.45:0.02]
plot for [k = 1:4] 'span_'.word(spans, k).'.csv' using 1:3 with lines lc rgb 'black' title k == 1 ? 'catenary' : '', \
     for [k = 1:4] 'span_'.word(spans, k).'.csv' using 1:2 every (n < 100 ? 1 : n/50) with points pt 7 ps 0.9 lc k \
     title 'rod, span '.word(spans, k).' m'
set title 'convergence of the sag'
set logscale
set format y '10^{%T}'
set xlabel 'n' offset 0,0.5
set ylabel 'distance from the catenary [m]'
set xrange [7:1.5*n]
set yrange [*:*]
chosen(s, k) = abs(s - word(spans, k)) < 1e-6
plot for [k = 1:4] 'errors.csv' using (chosen($1, k) ? $2 : NaN):5 with lines lc rgb 'black' \
     title k == 1 ? 'chain of n links, exact' : '', \
     for [k = 1:4] '' using (chosen($1, k) ? $2 : NaN):3 with points pt 7 lc k title 'rod, span '.word(spans, k).' m', \
     '' using (chosen($1, 1) ? $2 : NaN):7 with lines dt 2 lc rgb 'black' title 'second order'
unset multiplot
