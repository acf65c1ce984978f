more = words(other) == 0 ? '' : \
  sprintf(", '%s_speed.csv' using 1:2 with lines lw 2 dt 3 lt 2 title 'forward, settings of the authors'", other). \
  ", '' using 1:3 with lines lw 2 dt 3 lt 5 title 'lateral, settings of the authors'"
stats name.'_speed.csv' using 1 nooutput
end = STATS_max
set multiplot title heading
set size 1,0.46
set origin 0,0.48
set xlabel 'time t/T [-]'
set ylabel 'velocity of the centre of mass [L/T]'
set xrange [0:end]
plot name.'_speed.csv' using 1:2 with lines lw 2 lt 3 title 'forward', \
     '' using 1:3 with lines lw 2 lt 1 title 'lateral', \
     published with lines lw 2 dt 2 lc rgb 'black' title 'published mean of the forward velocity' @more
set size 1,0.5
set origin 0,0
set autoscale
set size ratio -1
set xlabel 'x [m]'
set ylabel 'y [m]'
set ytics tics
plot for [k = 0:frames] name.'_envelope.csv' using ($1 == k ? $3 : NaN):4 with lines lt 6 title (k == 0 ? 'body in the last period' : ''), \
     name.'_speed.csv' using ($1 > end - 1.005 ? $4 : NaN):5 with lines lw 2 lt 3 title 'paths of head and tail', \
     '' using ($1 > end - 1.005 ? $6 : NaN):7 with lines lw 2 lt 3 notitle
unset multiplot
