set multiplot layout 1,2 title heading
set title 'ten random pushes each'
set cbrange [0:1]
set cblabel 'probability of buckling'
set xlabel 'twist over bending stiffness β/α' offset 0,0.5
if (mode eq 'full') {
  set xrange [0.45:2.05]
  set yrange [0.5:24.5]
  set tics out nomirror
  set ylabel 'twist Φ [rad]'
  plot 'map.csv' using 1:2:3 with image notitle, 'critical.csv' using 1:2 with lines lw 6 lc rgb 'black' notitle, \
       '' using 1:2 with lines lw 3 lc rgb 'white' notitle, NaN with lines lw 3 lc rgb 'black' title 'Φ_c = 2π 3^{1/2} α/β, (F 3)'
} else {
  set xrange [0:4.5]
  set yrange [0.93:1.07]
  set grid lt 1 lw 0.5 lc rgb 'gray80'
  set ylabel 'twist Φ/Φ_c'
  plot 1 lw 2 lc rgb 'black' title 'Φ_c = 2π 3^{1/2} α/β, (F 3)', 'map.csv' using 1:($2/$4):3 with points pt 7 ps 3 palette title 'rod'
}
unset colorbox
set key inside top right
set title 'ring of Φ = 10 rad, β/α = 2'
set view equal xyz
set view 65,30,1.2
set xrange [-0.2:0.2]
set yrange [-0.2:0.2]
set zrange [-0.2:0.2]
set xtics 0.2
set ytics 0.2
set ztics 0.2
set xlabel 'x [m]'
set ylabel 'y [m]'
set zlabel 'z [m]' rotate
set xyplane 0
set grid
splot for [k = 0:3] 'ring.csv' using (abs($1 - 0.1*k) < 1e-6 ? $2 : NaN):3:4 with lines lw 3 lc rgb word('#440154 #31688e #35b779 #d9a400', k + 1) \
      title 't = 0.'.k.' s'
unset multiplot
