/* The command line of all bundled programs. */
#ifndef EXAMPLES_OPTIONS_H
#define EXAMPLES_OPTIONS_H

typedef enum example_mode { EXAMPLE_DEFAULT, EXAMPLE_QUICK, EXAMPLE_FULL } example_mode;

typedef enum option_kind {
  OPTION_SWITCH,  /* value: int, becomes 1 */
  OPTION_INTEGER, /* value: int */
  OPTION_NUMBER,  /* value: double */
  OPTION_TEXT     /* value: const char * */
} option_kind;

/* One option of the case. Without the option, *value does not change. */
typedef struct case_option {
  const char *name;     /* "--force" */
  const char *argument; /* its name in the help, "NEWTON"; NULL for a switch */
  const char *help;
  option_kind kind;
  void *value;
  double least, most; /* inclusive bounds; equal values mean none */
} case_option;

typedef enum file_modes { FILE_ALWAYS, FILE_NOT_QUICK, FILE_ONLY_FULL } file_modes;

/* A file that the program writes with --out. A '*' in its name stands for a number. */
typedef struct example_file {
  const char *name;    /* "history.csv"; "ring.pvd" includes its frames, ring_*.vtp */
  const char *columns; /* of a csv file, separated by commas, each with its unit: "time [s],writhe [turns]"; NULL for frames */
  const char *help;    /* its content */
  file_modes modes;    /* modes that write it */
} example_file;

struct example;

/* The refinement of --certify: see certify.h. */
typedef struct certificate {
  /* Runs with n elements and calls example_inform for its quantities, in order. NULL: the program has no --certify. */
  void (*run)(struct example *e, int n);
  int n;            /* of the coarsest runs */
  const char *help; /* the case, and the duration of all its runs: "the tip at n = 48; 1 s" */
  const void *user; /* for run, as e->about->certified.user */
} certificate;

/* The help text of a program. Sentences may contain line ends; the lines are indented. */
typedef struct example_about {
  const char *name;
  const char *title;
  const char *script;                   /* script.gp draws its figure; NULL: name.gp */
  const char *length_unit, *force_unit; /* on the page; NULL: m, N */
  double focus[3], span;                /* [m] first view of the page, as in elastica_view_def; span 0: the whole scene */
  const char *quick, *normal, *full;    /* content and duration of each mode */
  const char *threads;                  /* use of --threads; NULL: works on one step */
  const case_option *options;
  int option_count;
  certificate certified;
  const example_file *files; /* all files of --out but plot.gp. Those of an earlier run are removed, and no others may be opened */
  int file_count;
} example_about;

typedef struct example_options {
  example_mode mode;
  const char *out; /* NULL: no files */
  int threads;
  double dt; /* [s] 0: the certified step */
  int force_dt;
  int certify;
  int budget;
  int plain;   /* 1: rows for scripts, also on a terminal */
  int restart; /* 1: pieces 1, 2, 4, 8, ... of the run are repeated from a snapshot */
} example_options;

/* "quick", "default" or "full" */
const char *options_mode(example_mode mode);

/* 1 if a mode writes a file. */
int options_writes(example_mode mode, const example_file *file);

/* Reads the command line. --help and --version print and end with status 0; an error prints one line on standard error and ends with status
 * 2. */
void options_read(example_options *out, const example_about *about, int argc, char **argv);

/* Prints a line on standard error, by printf's rules, and ends with status 2: bad usage. */
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 2, 3)))
#endif
void options_refuse(const example_about *about, const char *format, ...);

#endif
