if (picture[strlen(picture) - 3:] eq '.svg') {
  set terminal svg enhanced size width,height font sprintf('sans,%d', 10 + width/300) background 'white'
} else {
  if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {
    set terminal pngcairo enhanced size width,height
  } else {
    set terminal png enhanced size width,height
  }
}
set output picture
set datafile separator ','
set encoding utf8
set format '%g'
set key below height 1
set tics nomirror

# Colours that colour-blind readers can tell apart (Okabe and Ito): blue, orange, vermilion, green, purple; grey
set linetype 1 lc rgb '#0072b2'
set linetype 2 lc rgb '#e69f00'
set linetype 3 lc rgb '#d55e00'
set linetype 4 lc rgb '#009e73'
set linetype 5 lc rgb '#cc79a7'
set linetype 6 lc rgb '#999999'
set palette defined (0 '#440154', 0.25 '#3b528b', 0.5 '#21918c', 0.75 '#5ec962', 1 '#fde725')

