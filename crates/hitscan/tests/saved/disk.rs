//! Files on a disk: what is there when writing fails.

use std::fs;
use std::io;
use std::path::Path;

use hitscan::saved::{OpenError, SaveError, Saved};
use hitscan::shape::Sphere;
use hitscan::{Scene, World};
use hitscan_oracle::{Rng, rng};

use crate::support::{answers, file, mesh, rays, world};

fn ball() -> Scene {
    let mut world = World::new();
    world.insert(Sphere::new([0.0; 3], 1.0).unwrap());
    world.commit()
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_file_on_disk_is_what_the_bytes_are() {
    let mut rng = Rng::new(rng::seed(951));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.hitscan");
    let scene = world(&mut rng).commit();
    scene.save(&path).unwrap();
    assert!(fs::read(&path).unwrap() == file(&scene));
    let rays = rays(&mut rng, 20);
    assert_eq!(answers(&Scene::open(&path).unwrap(), &rays), answers(&scene, &rays));
    assert_eq!(names(folder.path()), ["scene.hitscan"]);
}

#[test]
fn what_is_not_there_or_not_saved_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Scene::open(folder.path().join("none.hitscan")).unwrap_err();
    assert!(matches!(missing, OpenError::Io(error) if error.kind() == io::ErrorKind::NotFound));
    let path = folder.path().join("cube.hitscan");
    fs::write(&path, "solid cube\n").unwrap();
    assert!(matches!(Scene::open(&path).unwrap_err(), OpenError::NotSaved));
    let nowhere = ball().save(folder.path().join("no/such/folder.hitscan")).unwrap_err();
    assert!(matches!(nowhere, SaveError::Io(error) if error.kind() == io::ErrorKind::NotFound));
}

/// Takes so many bytes and no more.
struct Full(usize);

impl io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let count = bytes.len().min(self.0);
        self.0 -= count;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_writer_that_fails_is_told_of() {
    let saved = Saved { scene: ball(), notes: hitscan::saved::Notes::new() };
    let length = file(&saved.scene).len();
    for room in 0..length {
        let error = saved.write(&mut Full(room)).unwrap_err();
        assert!(
            matches!(error, SaveError::Io(error) if error.kind() == io::ErrorKind::StorageFull),
            "{room}"
        );
    }
    assert!(saved.write(&mut Full(length)).is_ok());
}

/// The process that runs into the limit: this test alone, called again.
#[cfg(target_os = "linux")]
const CHILD: &str = "HITSCAN_SAVES_INTO";

#[cfg(target_os = "linux")]
#[test]
fn a_disk_without_room_leaves_the_old_file() {
    if let Some(path) = std::env::var_os(CHILD) {
        let mut world = World::new();
        world.insert(mesh(&mut Rng::new(5), 3000));
        let error = world.commit().save(path).unwrap_err();
        assert!(matches!(error, SaveError::Io(error) if error.kind() == io::ErrorKind::FileTooLarge));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.hitscan");
    ball().save(&path).unwrap();
    let before = fs::read(&path).unwrap();
    // A limit on the size of files stands for a full disk; the signal that tells of it is not wanted.
    let test = std::env::current_exe().unwrap();
    let script =
        "trap '' XFSZ; ulimit -f 16; exec \"$0\" --exact disk::a_disk_without_room_leaves_the_old_file";
    let child =
        std::process::Command::new("bash").args(["-c", script]).arg(test).env(CHILD, &path).output().unwrap();
    let told = String::from_utf8_lossy(&child.stdout);
    assert!(
        child.status.success() && told.contains("1 passed"),
        "the child saw another error, or none: {told}"
    );
    assert!(fs::read(&path).unwrap() == before);
    assert_eq!(names(folder.path()), ["scene.hitscan"], "nothing unfinished is left");
    assert!(Scene::open(&path).is_ok());
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("scene.hitscan"), folder.path().join("link.hitscan"));
    ball().save(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&path, &link).unwrap();
    World::new().commit().save(&link).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(Scene::open(&path).unwrap().iter().count(), 0);
}

/// A device keeps its place: what is no regular file is not replaced by one.
#[test]
#[cfg(unix)]
fn what_is_no_file_is_refused() {
    let error = World::new().commit().save("/dev/null").unwrap_err().to_string();
    assert!(error.contains("not a regular file"), "{error}");
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}
