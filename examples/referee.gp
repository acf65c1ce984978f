# Errors and wall times of each row of table.csv, beside the published ones; rows of one scene stand between two lines.
count = words(scenes)
end(k) = k < 1 ? 0 : int(word(ends, k))
set multiplot layout 1,2 title heading
set grid ytics lt 1 lw 0.5 lc rgb 'gray80'
set logscale y
set format y '10^{%T}'
set xrange [-1:end(count) + 1]
do for [k = 1:count] {
  set label k word(scenes, k) at 0.5 + (end(k - 1) + end(k))/2.0, graph 0.985 right rotate by 90 font ',11' textcolor rgb 'gray40'
  if (k < count) {
    set arrow k from end(k) + 0.5, graph 0 to end(k) + 0.5, graph 1 nohead lc rgb 'gray60'
  }
}
set xlabel 'row of table.csv' offset 0,0.5
set ylabel 'relative error; slides of capstan [mm]; extent of pile'
set title 'errors; at the lower edge: 0'
set yrange [1e-7:1e5]
least(x) = x == 0 ? 1e-7 : x
plot 'table.csv' using 1:(least($3)) with points pt 5 lc 2 title 'PyElastica', '' using 1:(least($4)) with points pt 9 lc 3 title 'MuJoCo', \
     '' using 1:(least($2)) with points pt 7 lc 1 title 'elastica'
set title 'wall time'
set ylabel 'time [s]'
set yrange [1e-4:1e5]
plot 'table.csv' using 1:6 with points pt 5 lc 2 title 'PyElastica', '' using 1:7 with points pt 9 lc 3 title 'MuJoCo', \
     '' using 1:5 with points pt 7 lc 1 title 'elastica'
unset multiplot
