#include "budget.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINE = 512, MOST_EFFECTS = 64 };

static int append_vector(char *line, int used, const char *name, const double v[3]) {
  return used + snprintf(line + used, (size_t)(LINE - used), " %s %.9g %.9g %.9g", name, v[0], v[1], v[2]);
}

static void write_energy(char *line, elastica_world *world, const elastica_budget_sum *sum) {
  double potential = 0;
  for (int k = 0; k < elastica_world_get(world).effect_count; k++) potential += elastica_effect_energy(elastica_world_effect(world, k));
  snprintf(line, LINE,
           "budget energy kinetic %.9g elastic %.9g potential %.9g change %.9g work %.9g residual %.3g largest_in_a_step %.3g steps %ld",
           sum->kinetic, sum->elastic, potential, sum->kinetic_change + sum->elastic_change, sum->work, sum->residual,
           sum->largest_step_residual, sum->step_count);
}

static void write_momentum(char *line, const char *name, const double change[3], const double impulse[3]) {
  const double residual[3] = {change[0] - impulse[0], change[1] - impulse[1], change[2] - impulse[2]};
  int used = snprintf(line, LINE, "budget %s", name);
  used = append_vector(line, used, "change", change);
  used = append_vector(line, used, "impulse", impulse);
  append_vector(line, used, "residual", residual);
}

static void write_effect(char *line, elastica_world *world, elastica_budget *budget, int index) {
  elastica_budget_share share;
  elastica_effect *effect = elastica_world_effect(world, index);
  if (elastica_budget_get_effect(budget, index, &share) != ELASTICA_OK) {
    snprintf(line, LINE, "budget effect %d -", index);
    return;
  }
  int used = snprintf(line, LINE, "budget effect %d %s work %.9g potential %.9g change %.9g", index,
                      effect ? elastica_effect_get(effect).name : "removed", share.work, share.energy, share.energy_change);
  used = append_vector(line, used, "impulse", share.impulse);
  append_vector(line, used, "angular_impulse", share.angular_impulse);
}

char *budget_lines(elastica_world *world, elastica_budget *budget) {
  const int effects = elastica_world_get(world).effect_count, shown = effects < MOST_EFFECTS ? effects : MOST_EFFECTS;
  char *text = malloc((size_t)(shown + 3) * (LINE + 1) + 1), *end = text, line[LINE];
  elastica_budget_sum sum;
  if (!text || elastica_budget_get(budget, &sum) != ELASTICA_OK) {
    free(text);
    return NULL;
  }
  write_energy(line, world, &sum);
  end += sprintf(end, "%s\n", line);
  write_momentum(line, "momentum", sum.momentum_change, sum.impulse);
  end += sprintf(end, "%s\n", line);
  write_momentum(line, "angular_momentum", sum.angular_change, sum.angular_impulse);
  end += sprintf(end, "%s\n", line);
  for (int k = 0; k < shown; k++) {
    write_effect(line, world, budget, k);
    end += sprintf(end, "%s\n", line);
  }
  return text;
}
