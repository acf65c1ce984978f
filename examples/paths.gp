# Loads over displacements; the whole path is dashed, and its stable part is drawn over it. Loads are in units of the bending stiffness
# B and a length of each body.
set multiplot layout 2,(mode eq 'quick' ? 2 : 3) title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
stable(s) = column(1) == s && column(4) == 0
critical(s, k) = column(1) == s && column(5) == k
set title 'shallow arch under a sine load'
set xlabel 'displacement of the middle over rise' offset 0,0.5
set ylabel 'load over 2π^4 i B/L^4'
rise = 5.6e-3
set key samplen 3
plot 'paths.csv' using ($1 == 1 ? -$3/rise : NaN):2 with lines lw 2 dt (6, 4) lc 1 title 'unstable', \
     '' using (stable(1) ? -$3/rise : NaN):2 with lines lw 2 lc 1 title 'stable', \
     '' using ($1 == 2 ? -$3/rise : NaN):2 with lines lw 2 dt (6, 4) lc 3 title 'antisymmetric', \
     '' using (critical(1, 1) ? -$3/rise : NaN):2 with points pt 7 lc rgb 'black' title 'limit point', \
     '' using (critical(1, 2) ? -$3/rise : NaN):2 with points pt 6 lc rgb 'black' title 'branch point'
names = "'' '' 'frame of Lee' 'deep arch, clamped and hinged'"
do for [s = 3:4] {
  size = s == 3 ? 120 : 100 # length of a leg, radius
  unit = s == 3 ? 1.44e7/size**2 : 1e6/size**2
  set title word(names, s)
  set xlabel 'displacement of the load over '.(s == 3 ? 'leg' : 'radius')
  set ylabel s == 3 ? 'load over B/L^2' : 'load over B/R^2'
  plot 'paths.csv' using ($1 == s ? -$3/size : NaN):($2/unit) with lines lw 2 dt (6, 4) lc 1 title 'unstable', \
       '' using (stable(s) ? -$3/size : NaN):($2/unit) with lines lw 2 lc 1 title 'stable', \
       '' using (critical(s, 1) ? -$3/size : NaN):($2/unit) with points pt 7 lc rgb 'black' title 'limit point'
}
set title 'ring, turned at two opposite places'
set xlabel 'angle over 2π'
set ylabel 'approach over the diameter'
plot 'paths.csv' using ($1 == 5 ? $2/(2*pi) : NaN):($3/40) with lines lw 2 lc 1 title 'stable'
if (mode ne 'quick') {
  set title 'ten turns with a side force'
  set xlabel 'share of the load'
  set ylabel 'displacement of the tip aside over length'
  plot 'paths.csv' using ($1 == 6 ? $2 : NaN):($3/10) with lines lw 1.5 dt (6, 4) lc 1 title 'unstable', \
       '' using (stable(6) ? $2 : NaN):($3/10) with lines lw 2 lc 1 title 'stable'
}
unset multiplot
