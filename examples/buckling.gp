# Convergence of the critical load of each case, and squares of the frequencies of a pinned column under a growing load. The error of the
# strip ends at 8e-5, because its closed form takes it as rigid in its plane.
cases = "'clamped, free' 'pinned, pinned' 'clamped, pinned' 'clamped, clamped' 'own weight' 'shaft' 'ring' 'strip'"
set linetype 7 lc rgb '#56b4e9'
set linetype 8 lc rgb 'black'
set multiplot layout 1,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set title 'critical loads'
set logscale
set format y '10^{%T}'
set xlabel 'n' offset 0,0.5
set ylabel 'relative error'
set xrange [20:250]
set xtics (25, 50, 100, 200)
plot for [k = 1:words(cases)] 'errors.csv' using ($1 == k ? $2 : NaN):3 with points pt (k < 6 ? 3 + 2*k : 2*k - 8) lc k title word(cases, k), \
     1/x**2 with lines dt 2 lc rgb 'black' title 'second order'
unset logscale
set format y '%g'
set title 'pinned column: a frequency vanishes where it buckles'
set xlabel 'load over the critical load'
set ylabel 'frequency squared, ω^2 m L^3/(π^4 B)'
set xrange [0:5]
set xtics autofreq
set xzeroaxis lt 1 lw 1 lc rgb 'gray40'
plot for [w = 1:2] w**2*(w**2 - x) with lines lc rgb 'black' title w == 1 ? 'closed form' : '', \
     'squares.csv' using 1:($2/pi**4) with points pt 7 lc 1 title 'half a wave', '' using 1:($3/pi**4) with points pt 5 lc 3 title 'a whole wave'
unset multiplot
