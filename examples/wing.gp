set multiplot title heading
set size ratio -1
unset key
unset tics
unset border
do for [k = 0:last] {
  set origin k/7.0, 0.66
  set size 1/7.0, 0.28
  set xrange [-260:760]
  set yrange [-120:620]
  set title sprintf('%.0f ms', 85*k)
  plot for [m in '2 1 0 3'] 'shape.csv' using (($1 == k && $2 == m) ? -$4 : NaN):(($1 == k && $2 == m) ? $5 : NaN) with lines lw (m == 2 ? 0.3 : m == 1 ? 0.8 : 3) lc rgb word('#5b4a3a #777777 #9fb9d8 #c8281e', int(m) + 1)
  set origin k/7.0, 0.4
  set yrange [-120:900]
  unset title
  plot for [m in '2 1 0 3'] 'shape.csv' using (($1 == k && $2 == m) ? -$4 : NaN):(($1 == k && $2 == m) ? $3 : NaN) with lines lw (m == 2 ? 0.3 : m == 1 ? 0.8 : 3) lc rgb word('#5b4a3a #777777 #9fb9d8 #c8281e', int(m) + 1)
}
set size noratio
set autoscale
set key below
set tics nomirror
set border
set grid lt 1 lw 0.5 lc rgb 'gray80'
set xlabel 'phase of the stroke'
set xrange [*:1]
set size 0.33, 0.4
set origin 0, 0
set ylabel 'angle [degrees]'
plot 'wing.csv' using 2:3 with lines lw 2 title 'elevation', '' using 2:4 with lines lw 2 title 'sweep', '' using 2:5 with lines lw 2 title 'elbow'
set origin 0.33, 0
set ylabel 'strain of the muscle'
plot for [k = 0:3] 'wing.csv' using 2:(column(6+k)) with lines lw 2 title word('lift pull biceps triceps', k+1)
set origin 0.66, 0
set ylabel 'tension [N]'
plot for [k = 0:3] 'wing.csv' using 2:(column(10+k)) with lines lw 2 title word('lift pull biceps triceps', k+1)
unset multiplot
