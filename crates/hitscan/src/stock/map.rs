//! The trusted way to open a saved scene: its callers promise what nobody can check.
#![allow(unsafe_code, reason = "a file that is memory is as sound as those that write to it")]

use std::fs::File;
use std::path::Path;

use super::Region;
use crate::saved::{OpenError, Saved};
use crate::scene::Scene;

impl Saved {
    /// [`Scene::map`], with the notes.
    ///
    /// # Safety
    /// As [`Scene::map`].
    ///
    /// # Errors
    /// As [`Scene::map`].
    // SAFETY: the caller's promise is handed on.
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Saved, OpenError> {
        let file = File::open(path)?;
        // SAFETY: promised by the caller for as long as the scene lives, which is what the region lives for.
        let region = unsafe { Region::mapped(&file) }?;
        Saved::of_trusted(region)
    }
}

impl Scene {
    /// Opens a saved scene as memory, unread: the trusted call. Pages are read when a query first needs them and are shared by all
    /// processes that map the file, so that a scene of any size is there at once.
    ///
    /// Checked are the header, the table of sections, the description, the tree over the instances, cutouts and notes. Large lists, those of
    /// meshes and heightfields, are not looked at but for their lengths: where a file is not as this library wrote it, queries may
    /// answer wrongly, panic, not end or overflow the stack. [`Scene::open`] looks at everything.
    ///
    /// # Safety
    /// The file has to stay as it is for as long as the scene, or a mesh or a heightfield that came from it, is there: nobody,
    /// no other process either, may write to it or cut it. [`Scene::save`] under the same name keeps that promise: it makes another file, and this
    /// one goes on to exist without a name. That a file was checked once, by whatever means, does not hinder another process from changing
    /// it afterwards.
    ///
    /// # Errors
    /// [`OpenError`]: what [`Scene::open`] refuses, as far as it is looked at.
    ///
    /// ```
    /// use hitscan::{Filter, Ray, Scene, World, shape::Sphere};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("ball.hitscan");
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// world.commit().save(&path)?;
    /// // SAFETY: the file is ours, and nobody else knows it.
    /// let scene = unsafe { Scene::map(&path) }?;
    /// assert!(scene.occluded(&Ray::new([0.0, 0.0, 9.0], [0.0, 0.0, -1.0])?, &Filter::ALL));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    // SAFETY: the caller's promise is handed on.
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Scene, OpenError> {
        // SAFETY: promised by the caller.
        unsafe { Saved::map(path) }.map(|saved| saved.scene)
    }
}
