# %% [markdown]
# # What a watchman sees
#
# Which part of a landscape is in view of a tower, and how high something has to stand elsewhere to be seen.

# %%
import hitscan
import numpy as np
from matplotlib import pyplot
from matplotlib.colors import LightSource
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

scene = hitscan.load("builtin:terrain")
print(scene)

# %% [markdown]
# The ground, as a grid of rays straight down. North is -z.

# %%
east = north = np.linspace(-499, 499, 600)
places = np.stack(np.meshgrid(east, -north[::-1]), axis=-1)
ground = scene.heights(places)
cell = east[1] - east[0]

# %% [markdown]
# A tower of 20 m on the highest hill, and a person of 1.7 m at each place: a line of sight is free where nothing is
# between its ends.

# %%
tower, person = 20.0, 1.7
eye = ground.position.reshape(-1, 3)[ground.height.argmax()] + [0, tower, 0]
seen = scene.sight(eye, ground.position + [0, person, 0])
far = np.linalg.norm(ground.position - eye, axis=-1)[seen].max()
print(f"in view: {seen.mean():.0%} of the land, {seen.sum() * cell**2 / 1e4:.0f} ha, up to {far:.0f} m away")

# %% [markdown]
# How high to stand, to be in view: halved between 0 and 60 m, nine times over.

# %%
lowest, highest = np.zeros(seen.shape), np.full(seen.shape, 60.0)
for _ in range(9):
    middle = (lowest + highest) / 2
    visible = scene.sight(eye, ground.position + np.stack([0 * middle, middle, 0 * middle], axis=-1))
    lowest, highest = np.where(visible, lowest, middle), np.where(visible, middle, highest)

# %%
relief = LightSource(azdeg=315, altdeg=40).hillshade(ground.height, vert_exag=1.5, dx=cell, dy=cell)
picture = np.repeat(0.25 + 0.7 * relief[..., np.newaxis], 3, axis=-1)
picture[seen] = 0.35 * picture[seen] + 0.65 * np.array([1.0, 0.72, 0.15]) * picture[seen] + [0.12, 0.06, 0.0]

figure, axes = pyplot.subplots(1, 2, figsize=(13, 6.2), layout="constrained")
extent = (-499, 499, -499, 499)
axes[0].imshow(np.clip(picture, 0, 1), extent=extent)
axes[0].set_title(f"In view of the tower: {seen.mean():.0%}")
key = [
    Line2D([], [], marker="^", color="crimson", linestyle="", markersize=10, label="tower, 20 m"),
    Patch(color="#e6a832", label="a person is seen"),
    Patch(color="#8c8c8c", label="hidden"),
]
axes[0].legend(handles=key, loc="lower left")
heights = axes[1].imshow(np.where(highest < 60, highest, np.nan), extent=extent, cmap="magma_r", vmin=0, vmax=60)
axes[1].contour(east, north, ground.height[::-1], levels=12, colors="black", linewidths=0.4, alpha=0.5)
axes[1].set_facecolor("#d9d9d9")
axes[1].set_title("How high to stand, to be seen")
figure.colorbar(heights, ax=axes[1], label="above the ground (m); grey: over 60")
for ax in axes:
    ax.plot(eye[0], -eye[2], "^", color="crimson", markersize=11, markeredgecolor="white")
    ax.set(xlabel="east (m)", ylabel="north (m)", aspect="equal")
figure.savefig("viewshed.png", dpi=110)
