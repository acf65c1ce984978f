if (mode eq 'full') {
  set multiplot layout 1,2 title heading
  set cbrange [0:1]
  set cblabel 'probability of buckling'
    set ylabel 'force F [N]'
  set yrange [1.25:41.25]
  set tics out nomirror
  set title 'L = 1 m, ten random pushes each'
  set xlabel 'bending stiffness α [N m^2]' offset 0,0.5
  set xrange [0.125:4.125]
  plot 'map_alpha.csv' using 1:3:4 with image notitle, 'critical_alpha.csv' using 1:2 with lines lw 6 lc rgb 'black' notitle, \
       '' using 1:2 with lines lw 3 lc rgb 'white' notitle, NaN with lines lw 3 lc rgb 'black' title 'F_c = π^2 α/L^2, (F 2)'
  set title 'α = 1 N m^2, ten random pushes each'
  set xlabel 'length L [m]' offset 0,0.5
  set xrange [0.45:2.05]
  plot 'map_length.csv' using 2:3:4 with image notitle, 'critical_length.csv' using 1:2 with lines lw 6 lc rgb 'black' notitle, \
       '' using 1:2 with lines lw 3 lc rgb 'white' notitle, NaN with lines lw 3 lc rgb 'black' title 'F_c = π^2 α/L^2, (F 2)'
  unset multiplot
} else {
  set multiplot layout 1,2 title heading
  set cbrange [0:1]
  set cblabel 'probability of buckling'
  set grid lt 1 lw 0.5 lc rgb 'gray80'
    set ylabel 'force F/F_c'
  set yrange [0.85:1.15]
  set title 'L = 1 m, ten random pushes each'
  set xlabel 'bending stiffness α [N m^2]' offset 0,0.5
  set xrange [0:2.5]
  plot 1 lw 2 lc rgb 'black' title 'F_c = π^2 α/L^2, (F 2)', 'map_alpha.csv' using 1:($3/$5):4 with points pt 7 ps 3 palette title 'rod'
  set title 'α = 1 N m^2, ten random pushes each'
  set xlabel 'length L [m]' offset 0,0.5
  set xrange [0:2]
  plot 1 lw 2 lc rgb 'black' title 'F_c = π^2 α/L^2, (F 2)', 'map_length.csv' using 2:($3/$5):4 with points pt 7 ps 3 palette title 'rod'
  unset multiplot
}
