# Lengths of the functions in C sources formatted by clang-format: prints "lines file:line name" for each, from the first line of the
# definition to its brace. A definition begins after a blank line, a comment, a directive or another definition; its body begins with a line
# that ends in "{" and goes on to the next line that begins with "}". Types and initialised variables, which have no ")" before the "{", are
# left out, and so are functions of one line.
function forget() { start = 0; text = "" }
FNR == 1 { forget(); body = 0 }
body {
  if (/^}/) {
    if (name != "") print FNR - start + 1, FILENAME ":" start, name
    body = 0
    forget()
  }
  next
}
comment { if (/\*\//) comment = 0; next }
/^[ \t]*\/\*/ { if (!/\*\//) comment = 1; next }
/^[ \t]*$/ || /^#/ || /^[ \t]*\/\// { forget(); next }
{
  if (!start) start = FNR
  line = $0
  gsub(/\/\*[^*]*\*\//, "", line) # comments within a line
  sub(/[ \t]+$/, "", line)
  text = text " " line
}
line ~ /\{$/ {
  head = text
  name = ""
  if (head !~ /^ (typedef|extern "C")/ && head !~ /=[ \t]*\{$/ && head ~ /\)[ \t]*\{$/) {
    gsub(/__attribute__\(\([^{]*\)\)/, "", head)
    sub(/[ \t]*\(.*/, "", head)
    sub(/.*[ *]/, "", head)
    name = head
  }
  body = 1
  next
}
line ~ /[;}]$/ || /\\$/ { forget() }
