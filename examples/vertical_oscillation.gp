set multiplot layout 2,2 columnsfirst title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
colour(k) = word('#440154 #443983 #31688e #21918c #35b779 #90d743 #d9c400', k)
do for [label in 'a b'] {
  files = label eq 'a' ? files_a : files_b
  names = label eq 'a' ? names_a : names_b
  unset logscale
  set format '%g'
  set title label eq 'a' ? 'end mass m_p = 100 kg, rod m_r = 1 kg' : 'no end mass, rod m_r = 1 kg'
  set xlabel 't/T' offset 0,0.5
  set ylabel '(L - L_0)/ΔL'
  set xrange [0:periods]
  set yrange [0:label eq 'a' ? 2.5 : 4]
  set key outside right top vertical title 'E [Pa]'
  plot for [k = 1:words(files)] label.'_E'.word(files, k).'.csv' using 1:2 with lines lw 1.5 lc rgb colour(k) title word(names, k), \
       label.'_E'.word(files, words(files)).'.csv' using 1:3 with lines lw 2 dt 2 lc rgb 'black' title '(3.12)'
  set logscale
  set format '10^{%T}'
  set xlabel 'E [Pa]' offset 0,0.5
  set ylabel 'error [ΔL]'
  set xrange [label eq 'a' ? 5e6 : 5e3:label eq 'a' ? 2e10 : 2e9]
  set yrange [*:*]
  set key outside right top vertical title ''
  set title 'distance from (3.12) in the first period'
  plot label.'_errors.csv' using 1:5 with lines lc rgb 'black' title 'L_∞, 1-D', \
       '' using 1:7 with lines lc 1 title 'L_1, 1-D', '' using 1:6 with lines lc 3 title 'L_2, 1-D', \
       '' using 1:2 with points pt 7 lc rgb 'black' title 'L_∞, rod', \
       '' using 1:4 with points pt 7 lc 1 title 'L_1, rod', '' using 1:3 with points pt 7 lc 3 title 'L_2, rod'
}
unset multiplot
