set multiplot layout 2,words(names) title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
described(name) = name eq 'code' ? 'G = 1 MPa, length (G/ρ)^{1/2}/(e f)' : 'G = 2E/3, length (E/ρ)^{1/2}/(e f), as printed'
do for [name in names] {
  unset logscale
  set format '%g'
  set xrange [0:1]
  set xlabel 's/L' offset 0,0.5
  set ylabel 'angle θ [rad]'
  set title described(name)
  plot for [k = 0:9] name.'.csv' using ($2 == k ? $1 : NaN):4 with lines lw 1.5 lc rgb 'black' title k == 0 ? '(F 5)' : '', \
       for [k = 0:9] '' using ($2 == k ? $1 : NaN):3 every thinned with points pt 7 ps 0.5 lc 3 title k == 0 ? 'rod' : ''
}
set logscale
set format y '10^{%T}'
set xrange [0.7*first:1.4*last]
set xtics (25, 50, 100, 200, 400, 800, 1600)
set xlabel 'n' offset 0,0.5
set ylabel 'distance from (F 5) [rad]'
do for [name in names] {
  k = name eq 'code'
  set title 'convergence'
  plot 'errors.csv' using ($1 == 0 && $2 == k ? $3 : NaN):4 with points pt 7 lc rgb 'black' title 'L_∞', \
       '' using ($1 == 0 && $2 == k ? $3 : NaN):5 with points pt 7 lc 1 title 'L_1', \
       '' using ($1 == 0 && $2 == k ? $3 : NaN):6 with points pt 7 lc 3 title 'L_2', \
       '' using ($1 == 0 && $2 == k ? $3 : NaN):7 with lines lc rgb 'black' title 'L_∞, discrete wave', \
       '' using ($1 == 1 && $2 == k ? $3 : NaN):4 with points pt 6 lc rgb 'black' title 'L_∞, frame held', \
       '' using ($1 == 1 && $2 == k ? $3 : NaN):7 with lines dt 2 lc rgb 'black' title 'its discrete wave'
}
unset multiplot
