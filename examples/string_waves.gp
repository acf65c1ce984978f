set multiplot layout 1,3 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set xlabel 'k [1/l_0]' offset 0,0.5
set logscale
set xrange [0.02:4]
set format y '10^{%T}'
set ylabel 'ω [(k_0/m_0)^{1/2}]'
set title sprintf('strings, f = 10^{-2} to 10^{-%d} k_0 l_0 from the top', weakest)
plot for [j = 2:weakest] 'strings_exact.csv' using (abs($2*10.0**j - 1) < 0.1 ? $3 : NaN):4 with lines lw 1.5 lc rgb 'black' \
     title j == 2 ? 'exact dispersion of the rod' : '', \
     'strings.csv' using 3:4 with points pt 7 lc 3 title 'rod'
unset logscale y
set format y '%g'
set ylabel 'ω/ω_{links}'
set title 'fibres that bend'
law = '0 0 1 1'
f = '0.01 0.001 0.01 0.2'
described(j) = word('classical classical rescaled rescaled', j).' law, f = '.word(f, j).' k_0 l_0'
chosen(l, t, j) = l == word(law, j) && abs(t/word(f, j) - 1) < 1e-6
plot for [j = 1:4] 'fibres_exact.csv' using (chosen($1, $2, j) ? $3 : NaN):($4/$5) with lines lw 1.5 lc j notitle, \
     for [j = 1:4] 'fibres.csv' using (chosen($1, $2, j) ? $3 : NaN):($4/$6) with points pt (j < 3 ? 7 : 6) ps (j < 3 ? 1 : 1.8) lc j title described(j)
set logscale y
set format y '10^{%T}'
set ylabel '|ω/ω_{exact} - 1|'
set title 'what the time step leaves'
plot for [file in 'strings fibres'] file.'.csv' using 3:7 with points pt 6 ps 1.8 lw 1.5 lc rgb 'black' \
     title file eq 'strings' ? 'Verlet, (ω dt)^2/24 and beyond' : '', \
     for [file in 'strings fibres'] file.'.csv' using 3:(abs($4/$5 - 1)) with points pt 7 lc 3 title file eq 'strings' ? 'rod' : ''
unset multiplot
