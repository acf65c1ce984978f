# The path of the tip in a plane, given by two axes; its coordinates; and a graph of each joint.
letter(k) = word('x y z', int(word(plane, k)))
at(k) = 1e3*column(int(word(plane, k)) + 1)
set multiplot layout 1,3 title heading
set grid lt 1 lw 0.5 lc rgb 'gray80'
set title 'path of the tip'
set xlabel letter(1).' [mm]'
set ylabel letter(2).' [mm]'
set size ratio -1
if (name eq 'fixed_joint') {
  set xtics 1
  set ytics 1
}
plot name.'.csv' using (at(1)):(at(2)) with lines lw 2 lt 1 title 'rod', \
     'published.csv' using (at(1)):(at(2)) with points pt 6 ps 1.5 lw 2 lc rgb 'black' title 'published'
set size noratio
set xtics auto
set ytics auto
set title 'tip'
set xlabel 't [s]'
set ylabel 'x, y, z [mm]'
plot for [k=2:4] name.'.csv' using 1:(1e3*column(k)) with lines lw 2 lt k-1 title word('x y z', k-1), \
     for [k=2:4] 'published.csv' using 1:(1e3*column(k)) with points pt 6 ps 1.5 lw 2 lt k-1 notitle
if (name eq 'fixed_joint') {
  set title 'off the line'
  set ylabel 'x, z - 200 mm of the tip [mm]'
  plot 'fixed_joint.csv' using 1:(1e3*$2) with lines lw 1 lt 1 title 'x', '' using 1:(1e3*$4-200) with lines lw 1 lt 3 title 'z', \
       'published.csv' using 1:(1e3*$2) with points pt 6 ps 1.5 lw 2 lt 1 notitle, \
       '' using 1:(1e3*$4-200) with points pt 6 ps 1.5 lw 2 lt 3 notitle
}
if (name eq 'hinge_joint') {
  set title 'out of the plane'
  set ylabel 'x of the tip [mm]'
  set ytics nomirror
  set y2tics
  set y2label 'axis carried by rod 1: x [mm]'
  plot 'carried.csv' using 1:(1e3*$2) axes x1y2 with lines lw 1.5 lt 6 title 'carried by rod 1', \
       'hinge_joint.csv' using 1:(1e3*$2) with lines lw 1.5 lt 1 title 'in the world', \
       'published.csv' using 1:(1e3*$2) with points pt 6 ps 1.5 lw 2 lc rgb 'black' title 'published'
}
if (name eq 'spherical_joint') {
  set title 'gap of the joint'
  set ylabel '[nm]'
  set yrange [0:*]
  plot 'spherical_joint.csv' using 1:(1e9*$5) with lines lw 1.5 lt 4 notitle
}
unset multiplot
