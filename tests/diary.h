/* A sampler that records its calls, and may call every query, write files, or stop the run. */
#ifndef TESTS_DIARY_H
#define TESTS_DIARY_H

#include "support.h"

enum { MOST = 4000 };

/* Settings and records of a sampler. */
typedef struct diary {
  int count;
  double time[MOST];
  long step[MOST];
  int stop_at;            /* the sample that stops the run; 0: none */
  elastica_status answer; /* the status that stops it */
  int asks;               /* 1: it calls every query */
  elastica_vtk *frames;   /* written at each sample; NULL: none */
  elastica_csv *rows;
} diary;

static inline void ask_everything(elastica_world *world) {
  elastica_totals totals;
  elastica_step_limit limit;
  must(world, elastica_world_get_totals(world, &totals));
  must(world, elastica_world_step_limit(world, &limit));
  for (int r = 0; r < elastica_world_get(world).rod_count; r++) {
    elastica_rod *rod = elastica_world_rod(world, r);
    must(world, elastica_rod_get_totals(rod, &totals));
    must(world, elastica_rod_refresh(rod));
  }
  for (int k = 0; k < elastica_world_get(world).effect_count; k++) {
    elastica_effect *effect = elastica_world_effect(world, k);
    assert_true(isfinite(elastica_effect_energy(effect) + elastica_effect_power(effect)));
  }
}

static inline elastica_status note(void *user, elastica_world *world) {
  diary *of = user;
  assert_true(of->count < MOST);
  of->time[of->count] = elastica_world_get(world).time;
  of->step[of->count++] = elastica_world_get(world).step_count;
  if (of->asks) ask_everything(world);
  if (of->rows != NULL) must(world, elastica_csv_row(of->rows, &of->time[of->count - 1], 1));
  if (of->frames != NULL) must(world, elastica_vtk_frame(of->frames));
  return of->stop_at == of->count ? of->answer : ELASTICA_OK;
}

static inline elastica_sampler sampler_of(diary *of, double interval) {
  elastica_sampler sampler;
  elastica_sampler_init(&sampler, sizeof sampler);
  sampler.sample = note;
  sampler.user = of;
  sampler.interval = interval;
  memset(of, 0, sizeof *of);
  return sampler;
}

static inline void keep_diary(elastica_world *world, diary *of, double interval) {
  const elastica_sampler sampler = sampler_of(of, interval);
  must(world, elastica_world_set_sampler(world, &sampler));
}

#endif
