# A rod that is twisted: at the end from two sides, with its true radius; writhe and twist; and, for a search of `runs` runs, the growth in straight rods.
coiled = runs == 0 || mode ne 'quick'
set multiplot layout (runs > 0 && coiled ? 2 : 1),(runs > 0 ? (coiled ? 2 : 1) : 3) title heading
if (coiled) {
  set size ratio -1
  set style fill solid 1.0 border rgb 'gray30'
  set offsets 0.03, 0.03, 0.03, 0.03
  set xtics 0.1
  set ytics 0.1
  set xlabel 'z [m]'
  set title 'at the end, seen along y'
  set ylabel 'x [m]'
  plot 'shape.csv' using 3:1:(0.025) with circles fc rgb '#cfe3f1' title 'surface', '' using 3:1 with lines lw 2 lc rgb 'black' title 'centreline'
  set title 'seen along x'
  set ylabel 'y [m]'
  plot 'shape.csv' using 3:2:(0.025) with circles fc rgb '#cfe3f1' title 'surface', '' using 3:2 with lines lw 2 lc rgb 'black' title 'centreline'
  unset offsets
  set title 'while the end is turned'
  set size noratio
  set xtics autofreq
  set ytics autofreq
  set y2tics
  set ytics nomirror
  set xlabel 'turns of the end [turns]'
  set ylabel 'writhe, twist [turns]'
  set y2label 'end to end [m]'
  set y2range [0:*]
  # The solenoid is turned so fast that its twist is uneven: there is no line for the onset of an even twist.
  if (runs == 0) {
    set arrow 1 from first onset, graph 0 to first onset, graph 1 nohead lw 1.5 dt 3 lc rgb 'black'
  }
  plot 'history.csv' using 2:3 with lines lw 2 lt 1 title 'writhe', '' using 2:4 with lines lw 2 lt 2 title 'twist', \
       '' using 2:($3+$4) with lines lw 1.5 lt 6 title 'writhe + twist', '' using 2:5 axes x1y2 with lines lw 2 lt 4 title 'end to end', \
       NaN with lines lw 1.5 dt 3 lc rgb 'black' title (runs == 0 ? 'theory: onset' : '')
  unset arrow 1
  unset y2tics
  unset y2label
}
if (runs > 0) {
  set title 'straight, and twisted at t = 0'
  set xlabel 'time t [s]'
  set ylabel 'largest distance from the axis [m]'
  set logscale y
  set format y '10^{%T}'
  set xrange [0.8:4.2]
  set xtics 1
  plot for [k = 0:runs - 1] 'onset.csv' using ($2 > onset && $1 == k ? $3 : NaN):4 with linespoints pt 7 lt 2 title (k == 0 ? sprintf('more than %.4g turns, the onset in theory', onset) : ''), \
       for [k = 0:runs - 1] '' using ($2 <= onset && $1 == k ? $3 : NaN):4 with linespoints pt 7 lt 1 title (k == 0 ? 'fewer turns' : '')
}
unset multiplot
