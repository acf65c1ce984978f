set multiplot layout 1,(mode eq 'quick' ? 1 : 2) title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set title 'at rest'
set xlabel 'x [l0]'
set ylabel 'y [l0]'
set size ratio -1
plot 'shape.csv' using 1:2 with lines lw 2 lt 1 notitle
if (mode ne 'quick') {
  set size noratio
  set logscale y
  set key below maxrows 3
  set format y '10^{%T}'
  set title 'drawn and pushed back: friction adds μ N'
  set xlabel 'ε = (r/R)^{1/2}'
  set ylabel 'T r^2/B, μ N r^2/B'
  set xrange [0.07:0.14]
  set xtics 0.02
  set yrange [5e-6:4e-4]
  plot 'branches.csv' using ($1 == 0 ? $3 : NaN):4 with points pt 7 ps 0.3 lt 1 title 'T without friction', \
       '' using ($1 == 0.1 && $2 > 0 ? $3 : NaN):4 with points pt 7 ps 0.3 lt 2 title 'T, μ = 0.1: tightening', \
       '' using ($1 == 0.1 && $2 < 0 ? $3 : NaN):4 with points pt 7 ps 0.3 lt 3 title 'loosening', \
       '' using ($1 == 0 ? $3 : NaN):(0.1*$5) with points pt 7 ps 0.3 lt 5 title 'μ N', \
       x**4/2 lw 1.5 lc rgb 'black' title 'ε^4/2', \
       0.0492*x**3*(1 + 4*x) lw 1.5 dt 2 lc rgb 'black' title 'μ σ ε^3 (1 + 4 ε)'
}
unset multiplot
