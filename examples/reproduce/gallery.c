#include "gallery.h"

#include <stdlib.h>
#include <string.h>

enum { COMMAND = 9000 };

/* ---- Curves ---- */

static int has_file(const char *out, const char *name, const char *file) {
  char path[COMMAND];
  snprintf(path, sizeof path, "%s/%s/%s", out, name, file);
  FILE *there = fopen(path, "r");
  if (there) fclose(there);
  return there != NULL;
}

/* 'text' for a shell. */
static void quote(char *to, size_t size, const char *text) {
  size_t used = 0;
  to[used++] = '\'';
  for (; *text && used + 6 < size; text++) {
    if (*text == '\'') {
      memcpy(to + used, "'\\''", 4);
      used += 4;
    } else {
      to[used++] = *text;
    }
  }
  to[used++] = '\'';
  to[used] = '\0';
}

void gallery_draw(const char *out, const char *name) {
  char folder[COMMAND / 2], command[COMMAND];
  if (!has_file(out, name, "plot.gp")) return;
  quote(folder, sizeof folder, out);
  snprintf(command, sizeof command,
           "cd %s/%s && command -v gnuplot >/dev/null 2>&1 && gnuplot -e \"picture = '%s.svg'\" plot.gp >/dev/null 2>&1 || rm -f %s.svg",
           folder, name, name, name);
  if (system(command) != 0) return;
}

/* ---- The page ---- */

static const char HEAD[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>elastica: gallery</title>\n<style>\n"
    ":root { --ink: #1d2733; --soft: #5d6b7a; --page: #eef2f6; --card: #fff; --line: #d9e0e8; --good: #2c7a7b; --bad: #b45309; "
    "color-scheme: light "
    "dark }\n"
    "@media (prefers-color-scheme: dark) { :root { --ink: #e9eef4; --soft: #9aa8b8; --page: #12171e; --card: #1b222b; --line: #2d3743; "
    "--good: "
    "#5fc3bd; --bad: #f0a35e } }\n"
    "* { box-sizing: border-box }\n"
    "body { margin: 0; padding: 28px clamp(16px, 4vw, 56px) 60px; background: var(--page); color: var(--ink); font: 14px/1.5 system-ui, "
    "-apple-system, \"Segoe UI\", Roboto, \"DejaVu Sans\", sans-serif; font-variant-numeric: tabular-nums }\n"
    "h1 { font-size: 24px; margin: 0 } h2 { font-size: 16px; margin: 0 } p { margin: 2px 0 22px; color: var(--soft) }\n"
    "main { display: grid; grid-template-columns: repeat(auto-fill, minmax(340px, 1fr)); gap: 20px; align-items: start }\n"
    "article { background: var(--card); border: 1px solid var(--line); border-radius: 12px; overflow: hidden }\n"
    ".scene { display: block; position: relative; aspect-ratio: 4 / 3; background: var(--page) }\n"
    ".scene iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; pointer-events: none }\n"
    ".text { padding: 12px 16px 14px } a { color: inherit; text-decoration: none } a:hover h2 { text-decoration: underline }\n"
    ".row { display: flex; justify-content: space-between; gap: 10px; align-items: baseline } .soft { color: var(--soft) }\n"
    ".verdict { font-weight: 600; white-space: nowrap } .PASS { color: var(--good) } .FAIL { color: var(--bad) }\n"
    "details { margin-top: 6px } summary { cursor: pointer; color: var(--soft) }\n"
    "details img { width: 100%; background: #fff; border-radius: 6px; margin-top: 8px }\n"
    ".table { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: 12px }\n"
    "td, th { padding: 2px 6px 2px 0; text-align: left; white-space: nowrap } th { color: var(--soft); font-weight: 400 }\n"
    "</style>\n</head>\n<body>\n";

/* Scenes play only while they are in the window: browsers do not draw more than some 16 at a time. */
static const char TAIL[] = "</main>\n<script>\n\"use strict\";\n"
                           "const seen = new IntersectionObserver(entries => {\n"
                           "  for (const { target, isIntersecting } of entries) {\n"
                           "    const frame = target.querySelector(\"iframe\");\n"
                           "    if (isIntersecting && !frame) {\n"
                           "      const made = document.createElement(\"iframe\");\n"
                           "      made.src = target.dataset.page + \"#card\";\n"
                           "      made.title = target.dataset.page;\n"
                           "      made.tabIndex = -1;\n"
                           "      target.append(made);\n"
                           "    } else if (!isIntersecting && frame) frame.remove();\n"
                           "  }\n"
                           "}, { rootMargin: \"60px\" });\n"
                           "document.querySelectorAll(\"[data-page]\").forEach(card => seen.observe(card));\n"
                           "</script>\n</body>\n</html>\n";

static void put_text(FILE *file, const char *text) {
  for (; *text; text++) {
    if (*text == '&' || *text == '<' || *text == '>' || *text == '"')
      fprintf(file, "&#%d;", *text);
    else
      putc(*text, file);
  }
}

static void put_cell(FILE *file, const char *text, const char *class) {
  fprintf(file, "<td%s%s>", class ? " class=" : "", class ? class : "");
  for (const char *word = text; *word; word++) {
    if (*word == '_')
      fputs(" ", file);
    else
      fprintf(file, "%c", *word == '<' || *word == '&' ? ' ' : *word);
  }
  fputs("</td>", file);
}

static void put_results(FILE *file, const report_system *system) {
  fprintf(file,
          "<details><summary>%d results</summary><div class=\"table\"><table>\n"
          "<tr><th>quantity</th><th>computed</th><th>expected</th><th>tolerance</th><th></th></tr>\n",
          system->row_count);
  for (int k = 0; k < system->row_count; k++) {
    const report_row *row = &system->rows[k];
    char computed[32];
    snprintf(computed, sizeof computed, "%.6g", strtod(row->computed, NULL));
    fputs("<tr>", file);
    put_cell(file, row->quantity, NULL);
    put_cell(file, computed, NULL);
    put_cell(file, row->expected, NULL);
    put_cell(file, row->tolerance, NULL);
    put_cell(file, row->verdict, row->verdict);
    fputs("</tr>\n", file);
  }
  fputs("</table></div></details>\n", file);
}

static void put_card(FILE *file, const char *out, const report_system *system) {
  const char *name = system->name;
  char page[256], curves[256];
  snprintf(page, sizeof page, "%s.html", name);
  snprintf(curves, sizeof curves, "%s.svg", name);
  const int has_page = has_file(out, name, page), has_curves = has_file(out, name, curves);
  fputs("<article>\n", file);
  if (has_page) fprintf(file, "<a class=\"scene\" href=\"%s/%s.html\" data-page=\"%s/%s.html\"></a>\n", name, name, name, name);
  fprintf(file, "<div class=\"text\">\n<div class=\"row\"><a href=\"%s/%s\"><h2>", name, has_page ? page : "");
  for (const char *c = name; *c; c++) putc(*c == '_' ? ' ' : *c, file);
  fputs("</h2></a>", file);
  if (system->state == REPORT_DONE)
    fprintf(file, "<span class=\"verdict %s\">%d of %d %s</span>", system->passed == system->checked ? "PASS" : "FAIL", system->passed,
            system->checked, system->passed == system->checked ? "pass" : "pass: see below");
  else
    fputs("<span class=\"verdict FAIL\">ended early</span>", file);
  fputs("</div>\n<div class=\"soft\">", file);
  if (strcmp(system->figure, "-") != 0) fprintf(file, "figure %s; ", system->figure);
  fprintf(file, "%.1f s</div>\n", system->seconds);
  if (system->message) {
    fputs("<div class=\"soft\">", file);
    put_text(file, system->message);
    fputs("</div>\n", file);
  }
  if (has_curves)
    fprintf(file, "<details open><summary>curves</summary><img loading=\"lazy\" src=\"%s/%s\" alt=\"curves of %s\"></details>\n", name,
            curves, name);
  if (system->row_count > 0) put_results(file, system);
  fputs("</div>\n</article>\n", file);
}

/* The most instructive pages come before the others. */
static const char *const FIRST[] = {"walker", "plectoneme", "hair", "wing", "muscular_snake", "heap"};
enum { FIRST_COUNT = sizeof FIRST / sizeof *FIRST };

/* Returns the place of a system in that list; FIRST_COUNT for the others, which follow in the order of the papers. */
static int place_of(const char *name) {
  int k = 0;
  while (k < FIRST_COUNT && strcmp(FIRST[k], name) != 0) k++;
  return k;
}

void gallery_write(FILE *file, const char *out, const report_system *systems, int count, const char *mode) {
  int done = 0, passed = 0, checked = 0, passed_checks = 0;
  for (int i = 0; i < count; i++) {
    if (!systems[i].wanted || systems[i].state != REPORT_DONE) continue;
    done++;
    passed += systems[i].passed == systems[i].checked;
    checked += systems[i].checked;
    passed_checks += systems[i].passed;
  }
  fputs(HEAD, file);
  fprintf(file, "<h1>elastica: gallery</h1>\n<p>%d of %d systems pass, %d of %d checks; %s mode. A click opens a scene.</p>\n<main>\n",
          passed, done, passed_checks, checked, mode);
  for (int place = 0; place <= FIRST_COUNT; place++)
    for (int i = 0; i < count; i++) {
      const report_system *of = &systems[i];
      if (of->wanted && (of->state == REPORT_DONE || of->state == REPORT_BROKEN) && place_of(of->name) == place) put_card(file, out, of);
    }
  fputs(TAIL, file);
}
