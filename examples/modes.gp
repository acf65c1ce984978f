# Shapes of a clamped beam and of a hanging chain beside those of the continuous bodies, and the convergence of the first frequency of
# each case.
set multiplot layout 2,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
wave(x, z) = cosh(x) - cos(x) - (sinh(z) - sin(z))/(cosh(z) + cos(z))*(sinh(x) - sin(x))
beam(x, z) = wave(z*x, z)/wave(z, z)
chain(x, z) = besj0(z*sqrt(1 - x))
set samples 200
set xlabel 'distance from the clamp [m]' offset 0,0.5
set ylabel 'displacement over that of the tip' offset 1
set xrange [0:1]
set yrange [-1:1.2]
set ytics 0.5
set title 'shapes of a clamped beam'
plot for [m = 1:3] beam(x, word('1.8751040687 4.6940911330 7.8547574382', m)) with lines lc rgb 'black' title m == 1 ? 'closed form' : '', \
     for [m = 1:3] 'beam.csv' using 1:m + 1 every 5::1 with points pt 3 + 2*m ps 1.1 lc m title sprintf('mode %d', m)
set xlabel 'distance from the pin [m]'
set title 'shapes of a hanging chain'
plot for [m = 1:3] chain(x, word('2.4048255577 5.5200781103 8.6537279129', m)) with lines lc rgb 'black' title m == 1 ? 'closed form' : '', \
     for [m = 1:3] 'chain.csv' using 1:m + 1 every 5::1 with points pt 3 + 2*m ps 1.1 lc m title sprintf('mode %d', m)
set logscale
set format y '10^{%T}'
set xlabel 'n'
set ylabel 'relative error' offset 0
set xrange [20:500]
set xtics (25, 50, 100, 200, 400)
set yrange [1e-6:1e-1]
set ytics autofreq
set title 'first frequency of beams'
beams = "'clamped, free' 'pinned, pinned' 'clamped, clamped' 'free, free' 'clamped, pinned'"
others = "'string' 'chain' 'ring, formula without stretch'"
plot for [k = 1:5] 'errors.csv' using ($1 == k && $2 == 1 ? $3 : NaN):4 with points pt 3 + 2*k ps 1.2 lc k title word(beams, k), \
     3/x**2 with lines dt 2 lc rgb 'black' title 'second order'
set title 'first frequency of other bodies'
plot for [k = 1:3] 'errors.csv' using ($1 == k + 5 && $2 == 1 ? $3 : NaN):4 with points pt 3 + 2*k ps 1.2 lc k title word(others, k), \
     3/x**2 with lines dt 2 lc rgb 'black' title 'second order'
unset multiplot
