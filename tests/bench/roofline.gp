# Draws a table of bench --csv:   gnuplot -e "table='bench.csv'; image='bench.png'" roofline.gp
# Left: achieved rate over the memory of the whole world, below the peak of the instruction set; caches show as steps. Right: time over elements.
if (!exists("table")) table = 'bench.csv'
if (!exists("image")) image = 'bench.png'
set datafile separator ','
set terminal pngcairo size 1400,600 font ',11'
set output image

# Scenes of the table that have at least two sizes, in its order; the largest peak.
scenes = ''
seen = 0
last = ''
add(name) = (seen = name eq last ? seen + 1 : 1, scenes = seen == 2 ? scenes.' '.name : scenes, last = name, 0)
stats table using (add(stringcolumn(1))) skip 1 nooutput
stats table using 9 skip 1 name 'PEAK' nooutput
of(name, value) = stringcolumn(1) eq name ? value : NaN

set multiplot layout 1,2
set logscale xy
set grid
set key below maxrows 4 samplen 1.5
set xlabel 'memory of the world [KiB]'
set ylabel 'arithmetic of a passive step [GFLOP/s]'
set yrange [:PEAK_max*1.5]
plot PEAK_max with lines lw 2 lc rgb 'black' title 'peak', \
  for [k=1:words(scenes)] table using (of(word(scenes, k), $4*$6/1024)):8 skip 1 with linespoints pt 7 ps 0.8 lc k title word(scenes, k) noenhanced
set autoscale y
set xlabel 'elements'
set ylabel 'time for each element and step [ns]'
plot for [k=1:words(scenes)] table using (of(word(scenes, k), $4)):5 skip 1 with linespoints pt 7 ps 0.8 lc k title word(scenes, k) noenhanced
unset multiplot
