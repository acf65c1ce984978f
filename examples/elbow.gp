set multiplot layout 1,3 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set title 'onset, assisted'
set xlabel 't [ms]'
set ylabel 'angle [degrees]'
plot 'onset.csv' using (1e3*$1):2 with lines lw 2 lt 1 title 'one-way ties', \
     'joints.csv' using (1e3*$1):2 with lines lw 2 lt 2 title 'joints', \
     'published.csv' using (1e3*$1):2 with points pt 6 ps 1.5 lw 2 lc rgb 'black' title 'authors'
set title 'a fibre held at one length'
set xlabel 'length [% of rest]'
set ylabel 'force/F_{max}'
plot 'isometric.csv' using 1:2 with lines lc rgb 'black' title 'R + P', \
     '' using 1:3 with points pt 7 lt 1 title 'c = 0', '' using 1:4 with points pt 6 lt 2 title 'c = 0.3'
set title 'lifting 200 N'
set xlabel 't [s]'
set ylabel 'angle [degrees]'
plot for [k = 0:2] 'lifts.csv' using 2:($1 == k ? $3 : NaN) with lines lw 2 lt (k + 1) \
     title word('healthy injured assisted', k + 1), 90 with lines dt 2 lc rgb 'black' notitle
unset multiplot
