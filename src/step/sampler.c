/* The sampler: a callback at given times between two steps.
 *
 * models     sample k is due at start + k interval, without drift, and is taken at the end of the first step at or after this time
 * why        Steps never depend on a sampler: it ends a batch, which may end anywhere; it may not change the world; its derived lanes are
 *            computed separately. A run therefore has the same bits with and without a sampler, unless exact times are requested: they
 *            divide an advance as calls with these durations would
 * test       tests/test_sampler.c, tests/test_sampler_rules.c
 */
#include "base/target.h"

#include <math.h>

#include "base/definition.h"
#include "step/stepper.h"

#define FIELD(field) ELI_FIELD(elastica_sampler, field)
static const eli_field fields[] = {FIELD(struct_size),
                                   FIELD(sample),
                                   FIELD(user),
                                   ELI_NUMBERS(elastica_sampler, interval, ELI_RULE_POSITIVE | ELI_RULE_REQUIRED),
                                   ELI_NUMBERS(elastica_sampler, start, ELI_RULE_NUMBER | ELI_RULE_OPTIONAL),
                                   ELI_FLAG(elastica_sampler, exact),
                                   ELI_FLAG(elastica_sampler, needs_derived)};
#undef FIELD
static const elastica_sampler defaults = {.interval = NAN, .start = NAN, .needs_derived = 1};
static const eli_layout layout = ELI_LAYOUT("sampler", elastica_sampler, fields, defaults);

void elastica_sampler_init(elastica_sampler *sampler, size_t size) {
  eli_def_init(&layout, sampler, size);
}

/* ---- Times of samples ---- */

/* Ends of steps are rounded: an end at most a thousandth of a step before a sample counts as its time. */
#define EARLY 0x1p-10

static double due(const eli_sampling *sampling) {
  return sampling->of.start + sampling->next * sampling->of.interval;
}

static int is_due_at(const elastica_world *world, double time, double dt) {
  return world->sampling.of.sample != NULL && time + EARLY * dt >= due(&world->sampling);
}

/* Returns the number of the first sample after a time; with from 1, at or after it. */
static double first_after(const elastica_sampler *of, double time, int from) {
  const double number = (time - of->start) / of->interval, first = from ? -floor(-number) : floor(number) + 1.0;
  return first > 0.0 ? first : 0.0;
}

/* Returns the end of step k from now, with the same bits as the later time of the world. */
static double end_of_step(const elastica_world *world, double dt, long k) {
  if (dt != world->segment_dt) return eli_world_now(world) + (double)k * dt;
  return world->segment_time + (double)(world->segment_steps + k) * dt;
}

/* The quotient is only an estimate, because of rounding and because times are sums. */
long eli_steps_to_sample(const elastica_world *world, double dt, long most) {
  if (world->sampling.of.sample == NULL) return most;
  const double guess = floor((due(&world->sampling) - eli_world_now(world)) / dt);
  if (!(guess < (double)most)) return most;
  long steps = guess > 2.0 ? (long)guess - 1 : 1;
  while (steps < most && !is_due_at(world, end_of_step(world, dt, steps), dt)) steps++;
  return steps;
}

double eli_sample_or_end(const elastica_world *world, double end) {
  const eli_sampling *sampling = &world->sampling;
  if (sampling->of.sample == NULL || !sampling->of.exact) return end;
  const double sample = due(sampling);
  return sample > eli_world_now(world) && sample < end ? sample : end;
}

/* ---- Sampling ---- */

elastica_status eli_world_begin_sampling(elastica_world *world) {
  eli_sampling *sampling = &world->sampling;
  if (sampling->of.sample == NULL) return ELASTICA_OK;
  if (eli_world_now(world) < sampling->last) {
    sampling->next = first_after(&sampling->of, eli_world_now(world), 1);
    sampling->last = eli_world_now(world);
  }
  if (!sampling->of.needs_derived || eli_world_reserve_whole(world)) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "sampler: no memory for the derived lanes of %d rods",
                               world->rod_indices.taken);
}

elastica_status eli_world_sample(elastica_world *world) {
  eli_sampling *sampling = &world->sampling;
  const double now = eli_world_now(world), early = EARLY * world->segment_dt;
  if (!is_due_at(world, now, world->segment_dt)) return ELASTICA_OK;
  elastica_status status = sampling->of.needs_derived ? eli_world_refresh_all(world, "sampler") : ELASTICA_OK;
  if (status != ELASTICA_OK) return status;
  const double next = first_after(&sampling->of, now + early, 0);
  sampling->next = next > sampling->next ? next : sampling->next + 1.0;
  sampling->last = now;
  sampling->inside = 1;
  status = sampling->of.sample(sampling->of.user, world);
  sampling->inside = 0;
  eli_world_forget_refreshed(world);
  return status;
}

elastica_status elastica_world_set_sampler(elastica_world *world, const elastica_sampler *sampler) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_sampler copy = {.sample = NULL};
  elastica_status status = eli_world_check_change(world, "set_sampler");
  if (status == ELASTICA_OK && sampler != NULL) status = eli_def_read(world, &layout, &copy, sampler);
  if (status == ELASTICA_OK && sampler != NULL && copy.sample == NULL)
    status = elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "sampler.sample is NULL");
  if (status != ELASTICA_OK) return status;
  if (eli_is_nan(copy.start)) copy.start = eli_world_now(world);
  world->sampling = (eli_sampling){.of = copy, .last = eli_world_now(world)};
  if (sampler != NULL) world->sampling.next = first_after(&copy, eli_world_now(world), 1);
  return ELASTICA_OK;
}
