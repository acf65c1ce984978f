set multiplot layout 2,3 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
stable(s) = column(1) == s && column(4) == 0 ? column(3) : NaN
unstable(s) = column(1) == s && column(4) > 0 ? column(3) : NaN
critical(s, k) = column(1) == s && column(5) == k ? column(3) : NaN
set title 'shallow arch: load over its middle'
set xlabel 'displacement over span' offset 0,0.5
set ylabel 'load' offset 1
plot 'paths.csv' using (stable(1)):2 with lines lw 2 lc 1 title 'stable', \
     '' using (unstable(1)):2 with lines dt 2 lc 1 title 'unstable', \
     '' using (unstable(2)):2 with lines dt 2 lc 3 title 'antisymmetric branch', \
     '' using (critical(1, 1)):2 with points pt 7 lc rgb 'black' title 'limit point', \
     '' using (critical(1, 2)):2 with points pt 6 lc rgb 'black' title 'branch point'
names = "'' '' 'frame of Lee' 'deep arch, clamped and hinged'"
do for [s = 3:4] {
  set title word(names, s)
  set xlabel 'displacement below the load' offset 0,0.5
  plot 'paths.csv' using (stable(s)):2 with lines lw 2 lc 1 title 'stable', \
       '' using (unstable(s)):2 with lines dt 2 lc 1 title 'unstable', \
       '' using (critical(s, 1)):2 with points pt 7 lc rgb 'black' title 'limit point'
}
set title 'ring, turned at two opposite places'
set xlabel 'angle over 2 {/Symbol p}' offset 0,0.5
set ylabel 'displacement along the diameter'
plot 'paths.csv' using ($1 == 5 ? $2/(2*pi) : NaN):3 with lines lw 2 lc 1 title ''
if (mode ne 'quick') {
  set title 'ten turns with a side force'
  set xlabel 'share of the load' offset 0,0.5
  set ylabel 'displacement of the tip aside' offset 1
  plot 'paths.csv' using ($1 == 6 ? $2 : NaN):3 with lines lw 1 lc 1 title ''
}
unset multiplot
