mus = mode eq 'quick' ? '0.2' : '0.1 0.2 0.3 0.5'
R = 5.0
r = 0.1
set title heading
set xlabel 'angle [rad]'
set ylabel 'tension [m0 l0/t0^2]'
set logscale y
set key below maxrows 2
plot for [mu in mus] 'tension.csv' using ($1 == mu ? $2 : NaN):3 with points pt 7 title 'μ = '.mu, \
     for [mu in mus] 0.01*exp(mu*R/(R + r)*(2*pi - x)) with lines lw 1.5 lc rgb 'black' title (mu eq word(mus, 1) ? 'exponent μ R/(R + r) of the chain' : ''), \
     for [mu in mus] 0.01*exp(mu*(2*pi - x)) with lines dt 2 lc rgb 'gray50' title (mu eq word(mus, 1) ? 'exponent μ of a thin rope' : '')
