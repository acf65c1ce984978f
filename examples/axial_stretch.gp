set multiplot layout 1,2 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set xlabel 'elongation e = L/L_0' offset 0,0.5
set ylabel 'load F [N]'
set object 1 rectangle from 0.7,graph 0 to 1.3,graph 1 behind fc rgb '#e8f0e8' fs solid noborder
do for [panel in 'all within'] {
  if (panel eq 'all') {
    set title 'from half to three times the length'
    set xrange [0.5:3]
    set yrange [-200:250]
    set key inside bottom right
  } else {
    set title 'within 30 %'
    set xrange [0.68:1.32]
    set yrange [-60:40]
  }
  plot 'laws.csv' using 1:3 with lines lw 2 dt 2 lc 1 title 'neo-Hookean', \
       '' using 1:4 with lines lw 2 dt 4 lc 4 title 'Mooney–Rivlin, C_{10} = C_{01}', \
       '' using 1:2 with lines lw 2 lc rgb 'black' title 'F = (A_0/e) E (e - 1)', \
       'rod.csv' using 1:2 with points pt 7 ps 1.2 lc 3 title 'rod at rest'
}
unset multiplot
