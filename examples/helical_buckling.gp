set multiplot layout 1,(2 + undamped) title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set title 'envelope'
set xlabel 's/L' offset 0,0.5
set ylabel 'φ'
set xrange [-0.2:0.2]
set yrange [-0.05:1.05]
all = words(shown)
plot 'envelope_'.last.'.csv' using 1:3 with lines lw 2 lc rgb 'black' title 'analytic, (3.10)', \
     for [k = 1:all] 'envelope_'.word(shown, k).'.csv' using 1:2 every (word(shown, k) < 200 ? 1 : word(shown, k)/100) \
     with points pt (k == all ? 7 : 2*k + 2) ps (k == all ? 0.7 : 1.3) lt (k == all ? 3 : k) title 'n = '.word(shown, k)
set title 'convergence'
set logscale
set xrange [0.7*first:1.4*last]
set yrange [*:*]
set format y '10^{%T}'
set xtics (100, 150, 200, 400, 800, 1600, 3200)
set xlabel 'n' offset 0,0.5
set ylabel 'distance from the analytic φ'
plot 'errors.csv' using 1:2 with linespoints pt 7 lc rgb 'black' title 'L_∞', \
     '' using 1:3 with linespoints pt 7 lc 1 title 'L_1', '' using 1:4 with linespoints pt 7 lc 3 title 'L_2', \
     '' using 1:6 with lines dt 2 lc rgb 'black' title 'second order'
set xtics auto
if (undamped) {
  unset logscale
  set format '%g'
  set title 'energy without damping'
  set xlabel 't [s]' offset 0,0.5
  set ylabel 'energy [J]'
  set xrange [0:750]
  set yrange [0:140]
  plot 'energy.csv' using 1:2 with lines lw 2 lc 3 title 'total energy', \
       '' using 1:4 with lines lw 2 dt 2 lc rgb 'black' title 'E_F = (M Φ + T D)/2', \
       '' using 1:5 with lines lw 2 dt 3 lc 1 title 'M^2 L/(2β) + T D'
}
unset multiplot
