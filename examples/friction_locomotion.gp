set multiplot layout 2,2 title heading
do for [name in 'isotropic anisotropic'] {
  file = name.'_speed.csv'
  stats file using 1 nooutput
  end = STATS_max
  set title name.' friction'
  set xlabel 'x [m]'
  set ylabel 'y [m]'
  set autoscale
  set size ratio -1
  set ytics 0.05
  set xtics 0.1
  plot for [k=0:20] name.'_envelope.csv' using ($1 == k ? $3 : NaN):4 with lines lt 6 title (k == 0 ? 'body in the last cycle' : ''), \
       file using ($1 > end - 1.005 ? $4 : NaN):5 with lines lw 2 lt 3 title 'paths of head and tail', \
       '' using ($1 > end - 1.005 ? $6 : NaN):7 with lines lw 2 lt 3 notitle, \
       '+' using (0):(0) every ::::0 with points pt 9 ps 2 lt 1 title 'centre of mass at t = 0'
  set size noratio
  set xtics autofreq
  set ytics autofreq
  set xlabel 'time t/T [-]'
  set ylabel 'velocity of the centre of mass [L/T]'
  set xrange [0:end]
  plot file using 1:2 with lines lw 2 lt 3 title 'forward', '' using 1:3 with lines lw 2 lt 1 title 'lateral'
}
unset multiplot
