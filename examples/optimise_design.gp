set multiplot layout 1,(flagella + walker + snake) title heading
set xlabel 'generation [-]'
do for [k = 1:2] {
  if (k == 1 ? flagella : walker) {
    name = word('flagella walker', k)
    set title name
    set ylabel 'speed ['.word('um/s mm/s', k).']'
    factor = k == 1 ? 1e6 : 1
    plot name.'_history.csv' using 1:($2*factor) with lines lw 2 lt 1 title 'best', \
         '' using 1:($3*factor) with lines lw 2 dt 3 lt 3 title 'best of the generation', \
         '' using 1:($4*factor) with lines lw 2 dt 2 lc rgb 'black' title 'mean of the generation'
  }
}
if (snake) {
  set title 'snake, by pairs of muscles'
  set ylabel 'speed [L/T]'
  plot for [p = fewest:most] sprintf('snake_%d_history.csv', p) using 1:2 with lines lw 2 lt p dt p title sprintf('%d', p)
}
unset multiplot
