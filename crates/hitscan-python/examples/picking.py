# %% [markdown]
# # Picking
#
# What a click in a picture means: the thing under the pixel, how far it is and which triangle, and all that belongs to
# it.

# %%
import timeit

import hitscan
import numpy as np
from matplotlib import pyplot

scene = hitscan.load("builtin:range")
camera = scene.cameras["default"]
width, height = 1000, 640
origin, directions = camera.rays(width, height)
print(scene)

# %% [markdown]
# The picture itself is a batch of rays, one for each pixel.

# %%
view = scene.closest(origin, directions, columns=("normal", "instance", "distance"))
sun = np.array([0.5, 0.75, 0.43])
light = 0.3 + 0.65 * np.clip(np.nan_to_num(view.normal) @ sun, 0, 1)
picture = np.where(view.hit[..., None], light[..., None] * [0.86, 0.88, 0.9], [0.8, 0.88, 0.97])

# %% [markdown]
# A click is a single ray: that takes less time than the mouse takes to say where it is.

# %%
clicks = [(412, 250), (150, 345), (790, 400), (590, 390)]  # x, y from the top left
found = []
for x, y in clicks:
    hit = scene.closest_one(origin, directions[y, x])
    took = timeit.timeit(lambda way=directions[y, x]: scene.closest_one(origin, way), number=1000) / 1000
    assert hit is not None and hit.instance == view.instance[y, x]
    found.append(hit)
    name = scene.names[hit.instance]
    print(f"({x}, {y}): {name}, triangle {hit.prim}, {hit.distance:.2f} m away ({took * 1e6:.1f} us)")

# %%
colours = [(0.95, 0.55, 0.1), (0.75, 0.4, 0.65), (0.25, 0.7, 0.35), (0.2, 0.5, 0.9)]
figure, ax = pyplot.subplots(figsize=(10, 6.6), layout="constrained")
for hit, colour in zip(found, colours, strict=True):
    its = view.instance == hit.instance
    picture[its] = 0.25 * picture[its] + 0.75 * (0.45 + 0.55 * light[its][:, None]) * colour
ax.imshow(np.clip(picture, 0, 1), interpolation="nearest")
for (x, y), hit in zip(clicks, found, strict=True):
    ax.plot(x, y, "+", color="black", markersize=14, markeredgewidth=2)
    ax.annotate(
        f"{scene.names[hit.instance]}\n{hit.distance:.2f} m, triangle {hit.prim}",
        (x, y),
        (20, 28),
        textcoords="offset points",
        fontsize=9,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "boxstyle": "round,pad=0.35"},
        arrowprops={"arrowstyle": "-", "color": "black"},
    )
ax.set(xticks=[], yticks=[], title="Each click, and all that is of the same thing")
figure.savefig("picking.png", dpi=110)
