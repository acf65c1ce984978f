// The smallest user of the library in C++: one rod falls freely for a tenth of a second. Exit status 0: it fell as it should.
#include <elastica.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace {

class World {
public:
  World() {
    check(elastica_world_create(nullptr, &world));
  }
  ~World() {
    elastica_world_destroy(world);
  }
  World(const World &) = delete;
  World &operator=(const World &) = delete;

  operator elastica_world *() const {
    return world;
  }
  void check(elastica_status status) const {
    if (status != ELASTICA_OK) throw std::runtime_error(std::string(elastica_status_text(status)) + ": " + elastica_world_message(world));
  }

private:
  elastica_world *world = nullptr;
};

double fall(double duration) {
  World world;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 10;
  def.length = 1;
  def.radius = 0.02;
  def.density = 1000;
  def.youngs_modulus = 1e6;

  const double gravity[3] = {0, 0, -9.81}; // [m/s^2]
  elastica_rod *rod = nullptr;
  world.check(elastica_world_add_rod(world, &def, &rod));
  world.check(elastica_add_gravity(world, gravity, nullptr));
  world.check(elastica_world_advance(world, duration));
  return -elastica_rod_get_view(rod)->position[2][0];
}

} // namespace

int main() {
  try {
    const double fallen = fall(0.1);
    std::printf("elastica %s: the rod fell by %.9f m\n", elastica_version(), fallen);
    return std::fabs(fallen - 9.81 * 0.1 * 0.1 / 2) < 1e-9 ? 0 : 1;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
