set multiplot layout 1,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set xlabel 'time [slowest periods]'
set ylabel 'distance from the axis [L]'
set logscale y
set format y '10^{%T}'
set title 'L* = 20: a seed dies out below the threshold'
plot for [m in '0.8 0.95 1.05 1.2'] 'growth.csv' using ($1 == m ? $2 : NaN):3 with lines lw 2 title 'M L/2πB = '.m
unset logscale
set format y
set xlabel 'length L*'
set ylabel 'couple M*'
set title 'thresholds'
set logscale xy
set xrange [15:250]
set autoscale y
plot 'thresholds.csv' using ($2 == 0 ? $1 : NaN):3 with points pt 7 ps 1.5 lt 1 title 'free to tilt', \
     '' using ($2 == 1 ? $1 : NaN):3 with points pt 7 ps 1.5 lt 2 title (mode eq 'quick' ? '' : 'clamped'), \
     '' using ($2 == 0 ? $1 : NaN):4 with lines lc rgb 'black' title '2πB/L, 8.987B/L', \
     '' using ($2 == 1 ? $1 : NaN):4 with lines lc rgb 'black' notitle
unset multiplot
