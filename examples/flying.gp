# Paths of the ends of the spaghetti, its convergence, the tip of the beam that spins up, and the path of the top.
set multiplot layout 2,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set title 'spaghetti in the plane: paths of its ends'
set xlabel 'x' offset 0,0.5
set ylabel 'y'
set ytics 2
set size ratio -1
plot 'plane.csv' using 2:3 with lines lw 2 lc 1 title 'first end', '' using 5:6 with lines lw 2 lc 2 title 'last end', \
     for [k = 1:101:10] '' every ::k::k using 2:3:($5-$2):($6-$3) with vectors nohead lc rgb 'gray60' title k > 1 ? '' : 'chords'
set size noratio
set title 'distance from the spectral beam at 10 s'
set xlabel 'n, dt ∝ 1/n' offset 0,0.5
set ylabel 'distance'
set logscale
set format y '10^{%T}'
set xrange [8:200]
set xtics (10, 20, 40, 80, 160)
set ytics autofreq
plot 'errors.csv' using ($1 == 0 ? $2 : NaN):4 with points pt 7 ps 1.6 lc 1 title 'plane', \
     '' using ($1 == 1 ? $2 : NaN):4 with points pt 7 lc 2 title 'space', \
     100/x**2 with lines dt 2 lc rgb 'black' title 'second order'
unset logscale
set format y '%g'
set xrange [*:*]
set xtics autofreq
set title 'spin-up: tip in the frame of the hub'
set xlabel 't [s]' offset 0,0.5
set ylabel 'lag [m]'
set y2label 'along the beam [mm]'
set y2tics
set ytics nomirror
plot 'spin_up.csv' using 1:3 with lines lw 2 lc 1 title 'lag', '' using 1:(1e3*$2) axes x1y2 with lines lw 2 lc 2 title 'along'
unset y2tics
unset y2label
set ytics mirror
set title 'heavy top: path of the tip from above'
set xlabel 'x [m]' offset 0,0.5
set ylabel 'y [m]'
set xtics 0.5
set ytics 0.5
set size ratio -1
plot 'top.csv' using 2:3 with lines lw 2 lc 3 title 'stiff rod'
unset multiplot
