set multiplot layout 1,words(names) title heading
set xlabel 'generation [-]'
set ylabel 'speed [L/T]'
do for [k = 1:words(names)] {
  set title word(names, k).', figure '.word(figures, k)
  plot word(names, k).'_history.csv' using 1:2 with lines lw 2 lt 1 title 'best', \
       '' using 1:3 with lines lw 2 lt 3 title 'best of the generation', \
       '' using 1:4 with lines lw 2 dt 2 lc rgb 'black' title 'mean of the generation', \
       word(speeds, k) + 0 with lines lt 6 title 'published'
}
unset multiplot
