#define _POSIX_C_SOURCE 200809L /* fork, pipe, poll, sigaction */
#include "child.h"
#include "common/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child; never returns. The errno of a failure before exec is written to `report`, which a successful exec closes. */
static void become(char *const argv[], int out, int err, int report) {
  const int nothing = open("/dev/null", O_RDONLY);
  signal(SIGPIPE, SIG_DFL);
  if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0)
    execv(argv[0], argv);
  const int reason = errno;
  if (write(report, &reason, sizeof reason) != (ssize_t)sizeof reason) _exit(126);
  _exit(127);
}

/* Close-on-exec: another child that inherited the pipe would keep it open. */
static int private_pipe(int ends[2]) {
  if (pipe(ends) != 0) return errno;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return 0;
}

int child_start(child *c, char *const argv[]) {
  int ends[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}}, reason = 0; /* standard output, standard error, report */
  *c = (child){.stream = {-1, -1}};
  for (int k = 0; k < 3 && reason == 0; k++) reason = private_pipe(ends[k]);
  const pid_t process = reason == 0 ? fork() : -1;
  if (process < 0 && reason == 0) reason = errno;
  if (process == 0) become(argv, ends[CHILD_OUT][1], ends[CHILD_ERR][1], ends[2][1]);
  for (int k = 0; k < 3; k++) {
    if (ends[k][1] >= 0) close(ends[k][1]);
  }
  if (process > 0 && read(ends[2][0], &reason, sizeof reason) > 0) waitpid(process, NULL, 0); /* exec failed */
  if (ends[2][0] >= 0) close(ends[2][0]);
  for (int k = 0; k < CHILD_STREAMS; k++) {
    if (reason != 0 && ends[k][0] >= 0) close(ends[k][0]);
    c->stream[k] = reason == 0 ? ends[k][0] : -1;
  }
  if (reason == 0) c->process = process;
  c->started = progress_clock();
  return reason;
}

/* Reads what is available; closes the stream at its end. */
static void gather(child *c, int k) {
  char *grown = realloc(c->text[k], c->size[k] + 4096 + 1);
  if (grown) c->text[k] = grown;
  const ssize_t got = grown ? read(c->stream[k], grown + c->size[k], 4096) : -1;
  if (got > 0) {
    c->size[k] += (size_t)got;
  } else if (!grown || got == 0 || errno != EINTR) {
    close(c->stream[k]);
    c->stream[k] = -1;
  }
  if (c->text[k]) c->text[k][c->size[k]] = '\0';
}

static void reap(child *c) {
  int status = 0;
  while (waitpid((pid_t)c->process, &status, 0) < 0 && errno == EINTR) continue;
  c->status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  c->seconds = progress_clock() - c->started;
  c->process = 0;
}

int child_wait(child *list, int count, int milliseconds) {
  enum { MOST = 64 };
  struct pollfd watched[MOST];
  int owner[MOST], watched_count = 0, ended = 0;
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < CHILD_STREAMS && watched_count < MOST; k++) {
      if (!list[i].process || list[i].stream[k] < 0) continue;
      watched[watched_count] = (struct pollfd){.fd = list[i].stream[k], .events = POLLIN};
      owner[watched_count++] = CHILD_STREAMS * i + k;
    }
  }
  if (poll(watched, (nfds_t)watched_count, milliseconds) <= 0) return 0;
  for (int w = 0; w < watched_count; w++) {
    child *c = &list[owner[w] / CHILD_STREAMS];
    if (watched[w].revents == 0) continue;
    gather(c, owner[w] % CHILD_STREAMS);
    if (c->stream[CHILD_OUT] >= 0 || c->stream[CHILD_ERR] >= 0) continue;
    reap(c);
    ended++;
  }
  return ended;
}

void child_stop(child *c) {
  if (!c->process) return;
  kill((pid_t)c->process, SIGTERM);
  reap(c);
}

void child_free(child *c) {
  for (int k = 0; k < CHILD_STREAMS; k++) {
    if (c->stream[k] >= 0) close(c->stream[k]);
    free(c->text[k]);
  }
  *c = (child){.stream = {-1, -1}};
}
