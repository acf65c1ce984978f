# Convergence of the tips of each family of cases, and the tips of the elastica.
families = "'bend of 45 degrees' 'Princeton beam' 'right-angle frame' 'follower force' 'large load' 'tendon'"
set multiplot layout 1,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set title 'tips less those of shooting'
set logscale
set format y '10^{%T}'
set xlabel 'n' offset 0,0.5
set ylabel 'distance over length'
set xrange [12:320]
set xtics (16, 32, 64, 128, 256)
plot for [k = 1:words(families)] 'errors.csv' using ($1 == k ? $2 : NaN):3 with points pt 3 + 2*k ps 1.2 lc k title word(families, k), \
     1/x with lines dt 4 lc rgb 'black' title 'first order', 1/x**2 with lines dt 2 lc rgb 'black' title 'second order'
unset logscale
set format y '%g'
set xtics autofreq
set xrange [0:11]
set yrange [0:1]
set title 'elastica'
set xlabel 'P L^2/(EI)' offset 0,0.5
set ylabel 'tip over length'
plot 'elastica.csv' using 1:4 smooth csplines lc rgb 'black' title 'elliptic integrals', \
     '' using 1:5 smooth csplines lc rgb 'black' notitle, '' using 1:2 with points pt 7 lc 1 title 'along', \
     '' using 1:3 with points pt 7 lc 2 title 'aside'
unset multiplot
