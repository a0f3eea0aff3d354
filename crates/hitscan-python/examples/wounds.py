# %% [markdown]
# # Bullet wounds
#
# What a shot goes through, how far, and what is left of it: the pieces of its ray inside of solids are its entry and
# exit wounds.

# %%
import hitscan
import numpy as np
from matplotlib import pyplot

# %% [markdown]
# A door, a figure, a vest before it and a steel plate behind it: each with what a metre of it takes of the shot's
# energy.

# %%
NAMES = ["ground", "door", "vest", "flesh", "steel"]
TOUGHNESS = np.array([9e3, 1.2e4, 9e4, 2.5e3, 4e5])  # in joules a metre
world = hitscan.World()
world.insert(hitscan.Plane([0, 1, 0], [0, 0, 0]), material=0)
world.insert(hitscan.Box([2, 0, -0.8], [2.05, 2.1, 0.3]), material=1)
world.insert(hitscan.Box([3.72, 0.95, -0.25], [3.735, 1.45, 0.25]), material=2)
world.insert(hitscan.Capsule([4, 0.85, 0], [4, 1.35, 0], 0.24), material=3)
world.insert(hitscan.Sphere([4, 1.78, 0], 0.15), material=3)
world.insert(hitscan.Box([5.2, 0, -0.6], [5.23, 1.9, 0.6]), material=4)
scene = world.commit()

# %% [markdown]
# Three shots through the door. `intervals` gives the pieces of each in order, one row a piece; a bullet ends where its
# energy does.

# %%
muzzle = np.array([0.0, 1.3, -0.2])
targets = np.array([[4.0, 1.15, 0.0], [4.0, 1.78, 0.02], [5.2, 0.5, 0.45]])
ENERGY = 3500.0
shots = scene.intervals(muzzle, targets - muzzle)
paths = []
for number, (target, pieces) in enumerate(zip(targets, shots, strict=True)):
    way = target - muzzle
    length = np.linalg.norm(way)
    energy, wounds = ENERGY, []
    print(f"shot {number + 1}")
    for enter, thickness, material in zip(pieces.enter, pieces.thickness, pieces.material, strict=True):
        taken = TOUGHNESS[material] * thickness
        is_stuck = taken >= energy
        depth = energy / TOUGHNESS[material] if is_stuck else thickness
        energy = 0.0 if is_stuck else energy - taken
        wounds.append((enter * length, depth, material, energy))
        end = muzzle + way * (enter + depth / length)
        what = "stuck after" if is_stuck else "through"
        print(f"  {NAMES[material]}: {what} {1e3 * depth:.1f} mm, {energy:.0f} J left")
        if is_stuck:
            break
    else:
        end = muzzle + 2 * way
    paths.append((way / length, wounds, end))

# %% [markdown]
# A picture of it: what each pixel shows, lit from the side, and where wounds are on it. They show through what they are
# behind.

# %%
width, height = 900, 560
camera = hitscan.Camera.look_at((1.7, 2.3, 5.0), (3.0, 1.0, 0.0), fov=38)
view = scene.closest(*camera.rays(width, height), columns=("position", "normal", "material"))


def pixel(point):
    """Where the camera sees a point."""
    to = np.asarray(point) - camera.eye
    scale = height / (2 * camera.tan_half_fov * (to @ camera.forward))
    return width / 2 + scale * (to @ camera.right), height / 2 - scale * (to @ camera.up)


COLOURS = np.array([[0.62, 0.66, 0.6], [0.62, 0.42, 0.25], [0.25, 0.32, 0.42], [0.9, 0.7, 0.6], [0.6, 0.64, 0.7]])
sun = np.array([0.45, 0.75, 0.5]) / np.linalg.norm([0.45, 0.75, 0.5])
# A ray to the sun that begins nowhere, as at a pixel that shows the sky, counts as a miss.
is_lit = ~scene.occluded(view.position + 1e-6 * view.normal, sun, invalid="miss")
light = 0.45 + 0.55 * is_lit * np.clip(np.nan_to_num(view.normal) @ sun, 0, 1)
picture = np.where(view.hit[..., None], COLOURS[view.material] * light[..., None], [0.85, 0.9, 0.95])

# %%
figure, (scenery, chart) = pyplot.subplots(1, 2, figsize=(14, 5.2), width_ratios=(1.55, 1), layout="constrained")
scenery.imshow(np.clip(picture, 0, 1), interpolation="nearest")
scenery.set(xlim=(0, width), ylim=(height, 0), xticks=[], yticks=[], title="Entries red, exits white, ends black")
lines = ["#d62728", "#1f77b4", "#9467bd"]
named = set()
for number, ((way, wounds, end), colour) in enumerate(zip(paths, lines, strict=True), 1):
    x, y = zip(pixel(muzzle), pixel(end), strict=True)
    scenery.plot(x, y, color=colour, linewidth=2)
    left, at = [ENERGY], [0.0]
    for start, depth, material, energy in wounds:
        entry, leaving = muzzle + start * way, muzzle + (start + depth) * way
        scenery.plot(*pixel(entry), "o", color="red", markeredgecolor="black", markersize=6)
        mark = {"color": "white"} if energy else {"color": "black"}
        scenery.plot(*pixel(leaving), "o", **mark, markeredgecolor="black", markersize=6)
        at += [start, start + depth]
        left += [left[-1], energy]
        place = (material, round(start), round(energy, -3))
        if place not in named:
            chart.annotate(NAMES[material], (start + depth, energy), (5, 4), textcoords="offset points")
        named.add(place)
    if left[-1]:
        at, left = [*at, 6.5], [*left, left[-1]]
    chart.plot(at, left, color=colour, linewidth=2, label=f"shot {number}")
chart.set(xlabel="way of the bullet (m)", ylabel="energy left (J)", ylim=(0, 1.08 * ENERGY), xlim=(0, 6.5))
chart.set_title("What is left of each")
chart.legend(loc="lower left")
chart.grid(alpha=0.3)
figure.savefig("wounds.png", dpi=110)
