//! Embree 4, opened at run time: the few functions that the comparison needs, each behind a safe one.
//!
//! Layouts and values are those of the headers `include/embree4/` of its version 4.4, as built with one level of
//! instances, which [`Embree::open`] verifies. The library is never closed, so that its functions stay where they are.
#![expect(unsafe_code, reason = "a library in C++ has no other door; this is the only file that opens one")]

use std::error::Error;
use std::ffi::{CString, c_char, c_void};
use std::path::Path;
use std::ptr::{NonNull, null, null_mut};
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};

use hitscan::Mesh;
use libloading::Library;

/// Rays of a packet.
pub const LANES: usize = 16;

/// The `geom` of a ray that has hit nothing.
pub const MISSED: u32 = u32::MAX;

/// `RTCRay`.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
pub struct Ray1 {
    pub origin: [f32; 3],
    pub t_near: f32,
    pub dir: [f32; 3],
    pub time: f32,
    /// Where the ray ends; afterwards where it hit, or -infinity where it is occluded.
    pub t_far: f32,
    pub mask: u32,
    pub id: u32,
    pub flags: u32,
}

/// `RTCHit`, with room for two levels of instances, where one is used.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
pub struct Hit1 {
    pub normal: [f32; 3],
    pub u: f32,
    pub v: f32,
    pub prim: u32,
    pub geom: u32,
    pub instances: [u32; 5],
}

/// `RTCRayHit`.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
pub struct RayHit1 {
    pub ray: Ray1,
    pub hit: Hit1,
}

/// `RTCRay16`.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct Ray16 {
    pub origin: [[f32; LANES]; 3],
    pub t_near: [f32; LANES],
    pub dir: [[f32; LANES]; 3],
    pub time: [f32; LANES],
    pub t_far: [f32; LANES],
    pub mask: [u32; LANES],
    pub id: [u32; LANES],
    pub flags: [u32; LANES],
}

/// `RTCHit16`.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct Hit16 {
    pub normal: [[f32; LANES]; 3],
    pub u: [f32; LANES],
    pub v: [f32; LANES],
    pub prim: [u32; LANES],
    pub geom: [u32; LANES],
    pub instances: [[u32; LANES]; 5],
}

/// `RTCRayHit16`.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct RayHit16 {
    pub ray: Ray16,
    pub hit: Hit16,
}

/// Offsets in the header, in bytes.
const _: () = {
    use std::mem::{offset_of, size_of};
    assert!(size_of::<Ray1>() == 48 && size_of::<RayHit1>() == 96);
    assert!(offset_of!(Ray1, dir) == 16 && offset_of!(Ray1, t_far) == 32);
    assert!(
        offset_of!(Hit1, prim) == 20 && offset_of!(Hit1, geom) == 24 && offset_of!(Hit1, instances) == 28
    );
    assert!(size_of::<Ray16>() == 48 * LANES && size_of::<RayHit16>() == 96 * LANES);
    assert!(offset_of!(Ray16, t_far) == 32 * LANES && offset_of!(Hit16, geom) == 24 * LANES);
};

/// `RTCRayQueryContext`, and behind it ours.
#[repr(C)]
struct Context {
    /// Instance and its part: none.
    instances: [u32; 2],
    recorder: *mut Recorder,
}

/// `RTCIntersectArguments`, and `RTCOccludedArguments`, which is the same.
#[repr(C)]
struct Arguments {
    flags: u32,
    features: u32,
    context: *mut Context,
    filter: *const c_void,
    intersect: *const c_void,
    /// Only there in builds for curves with a least width.
    least_width: f32,
}

/// `RTC_RAY_QUERY_FLAG_COHERENT`.
const COHERENT: u32 = 1 << 16;

impl Arguments {
    fn new(flags: u32, context: &mut Context) -> Arguments {
        let features = u32::MAX;
        Arguments { flags, features, context, filter: null(), intersect: null(), least_width: 0.0 }
    }
}

impl Context {
    fn new(recorder: *mut Recorder) -> Context {
        Context { instances: [u32::MAX; 2], recorder }
    }
}

/// `RTCFilterFunctionNArguments` of one ray.
#[repr(C)]
struct Crossing {
    valid: *mut i32,
    user: *mut c_void,
    context: *const Context,
    ray: *mut Ray1,
    hit: *const Hit1,
    rays: u32,
}

type Handle = *mut c_void;
type Filter = extern "C" fn(*const Crossing);
type Monitor = extern "C" fn(*mut c_void, isize, bool) -> bool;

/// The functions, under their names without `rtc`.
struct Functions {
    new_device: unsafe extern "C" fn(*const c_char) -> Handle,
    release_device: unsafe extern "C" fn(Handle),
    device_error: unsafe extern "C" fn(Handle) -> u32,
    device_property: unsafe extern "C" fn(Handle, u32) -> isize,
    set_monitor: unsafe extern "C" fn(Handle, Monitor, *mut c_void),
    new_scene: unsafe extern "C" fn(Handle) -> Handle,
    release_scene: unsafe extern "C" fn(Handle),
    set_flags: unsafe extern "C" fn(Handle, u32),
    set_quality: unsafe extern "C" fn(Handle, u32),
    commit_scene: unsafe extern "C" fn(Handle),
    new_geometry: unsafe extern "C" fn(Handle, u32) -> Handle,
    release_geometry: unsafe extern "C" fn(Handle),
    commit_geometry: unsafe extern "C" fn(Handle),
    attach: unsafe extern "C" fn(Handle, Handle) -> u32,
    new_buffer: unsafe extern "C" fn(Handle, u32, u32, u32, usize, usize) -> *mut c_void,
    instanced_scene: unsafe extern "C" fn(Handle, Handle),
    transform: unsafe extern "C" fn(Handle, u32, u32, *const c_void),
    intersect_filter: unsafe extern "C" fn(Handle, Filter),
    occluded_filter: unsafe extern "C" fn(Handle, Filter),
    intersect1: unsafe extern "C" fn(Handle, *mut RayHit1, *mut Arguments),
    occluded1: unsafe extern "C" fn(Handle, *mut Ray1, *mut Arguments),
    intersect16: unsafe extern "C" fn(*const Valid, Handle, *mut RayHit16, *mut Arguments),
    occluded16: unsafe extern "C" fn(*const Valid, Handle, *mut Ray16, *mut Arguments),
}

/// Which lanes of a packet are asked: all; those without a ray have an empty range.
#[repr(C, align(64))]
struct Valid([i32; LANES]);

const ALL_LANES: Valid = Valid([-1; LANES]);

/// The library.
pub struct Embree {
    functions: Functions,
}

impl Embree {
    /// Opens a shared library and asks it about a triangle.
    ///
    /// # Errors
    /// A file that is no library, a function that is not there, another version, or another layout than that of
    /// this file.
    pub fn open(path: &Path) -> Result<&'static Embree, String> {
        let failed = |error: libloading::Error| {
            let why = error.source().map(|why| format!(": {why}")).unwrap_or_default();
            format!("{}: {error}{why}", path.display())
        };
        // SAFETY: what runs when Embree and its TBB are loaded are constructors of their own globals, which ask nothing
        // of the program.
        let library = unsafe { Library::new(path) }.map_err(failed)?;
        macro_rules! function {
            // SAFETY: the field that takes the pointer has the type that Embree's header declares under this name.
            ($name:literal) => {{
                // SAFETY: as above.
                *unsafe { library.get($name) }.map_err(failed)?
            }};
        }
        let functions = Functions {
            new_device: function!("rtcNewDevice"),
            release_device: function!("rtcReleaseDevice"),
            device_error: function!("rtcGetDeviceError"),
            device_property: function!("rtcGetDeviceProperty"),
            set_monitor: function!("rtcSetDeviceMemoryMonitorFunction"),
            new_scene: function!("rtcNewScene"),
            release_scene: function!("rtcReleaseScene"),
            set_flags: function!("rtcSetSceneFlags"),
            set_quality: function!("rtcSetSceneBuildQuality"),
            commit_scene: function!("rtcCommitScene"),
            new_geometry: function!("rtcNewGeometry"),
            release_geometry: function!("rtcReleaseGeometry"),
            commit_geometry: function!("rtcCommitGeometry"),
            attach: function!("rtcAttachGeometry"),
            new_buffer: function!("rtcSetNewGeometryBuffer"),
            instanced_scene: function!("rtcSetGeometryInstancedScene"),
            transform: function!("rtcSetGeometryTransform"),
            intersect_filter: function!("rtcSetGeometryIntersectFilterFunction"),
            occluded_filter: function!("rtcSetGeometryOccludedFilterFunction"),
            intersect1: function!("rtcIntersect1"),
            occluded1: function!("rtcOccluded1"),
            intersect16: function!("rtcIntersect16"),
            occluded16: function!("rtcOccluded16"),
        };
        std::mem::forget(library);
        let embree: &'static Embree = Box::leak(Box::new(Embree { functions }));
        embree.verify().map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(embree)
    }

    /// One ray and one triangle, with room behind the answer: whether it is where this file expects it.
    fn verify(&'static self) -> Result<(), String> {
        #[repr(C, align(16))]
        struct Roomy {
            asked: RayHit1,
            room: [u32; 32],
        }
        const UNTOUCHED: u32 = 0x5A5A_5A5A;
        let corners = [[0.0f32, 0.0, 2.0], [1.0, 0.0, 2.0], [0.0, 1.0, 2.0]];
        let mesh = Mesh::new(corners, [[0u32, 1, 2]]).map_err(|error| error.to_string())?;
        let device = Device::new(self, "threads=1")?;
        let scene = Scene::new(&device, &mesh, Kind::Fast)?;
        let mut roomy = Roomy {
            asked: RayHit1::new(Ray1::new([0.25, 0.5, 1.0], [0.0, 0.0, 1.0], 0.0, f32::INFINITY)),
            room: [UNTOUCHED; 32],
        };
        roomy.asked.hit.instances = [UNTOUCHED; 5];
        let asked: *mut Roomy = &mut roomy;
        // SAFETY: `roomy` begins with an `RTCRayHit`, is aligned as one, and is larger by more than any number of levels
        // of instances would need; without arguments Embree takes its default ones.
        unsafe { (self.functions.intersect1)(scene.handle.as_ptr(), asked.cast(), null_mut()) };
        let Hit1 { u, v, prim, geom, instances, .. } = roomy.asked.hit;
        // Embree divides by an approximate reciprocal, which is not the same on all processors.
        let near = |found: f32, expected: f32| (found - expected).abs() < 1e-3;
        let there =
            near(roomy.asked.ray.t_far, 1.0) && near(u, 0.25) && near(v, 0.5) && (prim, geom) == (0, 0);
        if !there {
            return Err("its answer about one triangle is not where version 4.4 has it".to_owned());
        }
        let one_level = [u32::MAX, u32::MAX, UNTOUCHED, UNTOUCHED, UNTOUCHED];
        if instances != one_level || roomy.room != [UNTOUCHED; 32] {
            return Err("it was built with more than one level of instances".to_owned());
        }
        Ok(())
    }
}

/// A device: threads and an instruction set.
pub struct Device {
    embree: &'static Embree,
    handle: NonNull<c_void>,
    /// Bytes that the device holds now. Boxed, since Embree keeps its address.
    held: Box<AtomicIsize>,
    version: [isize; 3],
}

// SAFETY: Embree's manual: all its functions on devices may be called from any thread; what is ours is atomic or never
// changes.
unsafe impl Send for Device {}
// SAFETY: as above.
unsafe impl Sync for Device {}

impl Device {
    /// A device from a configuration as Embree's manual has it: `threads=1,isa=avx2`.
    ///
    /// # Errors
    /// What Embree refuses, and versions other than 4.3 and later ones of 4.
    pub fn new(embree: &'static Embree, config: &str) -> Result<Arc<Device>, String> {
        let text = CString::new(config).map_err(|error| error.to_string())?;
        // SAFETY: a string that ends in zero and lives through the call.
        let handle = unsafe { (embree.functions.new_device)(text.as_ptr()) };
        let Some(handle) = NonNull::new(handle) else {
            // SAFETY: without a device the function tells what kept the last one from being made.
            let error = unsafe { (embree.functions.device_error)(null_mut()) };
            return Err(format!("no device for {config}: error {error}"));
        };
        let mut device = Device { embree, handle, held: Box::default(), version: [0; 3] };
        let held: *const AtomicIsize = &raw const *device.held;
        // SAFETY: a live device; properties 1 to 3 are its version's numbers. The counter lives as long as the device, and
        // nothing but the monitor is ever given its address.
        unsafe {
            device.version = [1, 2, 3].map(|part| (embree.functions.device_property)(handle.as_ptr(), part));
            (embree.functions.set_monitor)(handle.as_ptr(), count_bytes, held.cast_mut().cast());
        }
        if device.version[0] != 4 || device.version[1] < 3 {
            return Err(format!("version {}; 4.3 or a later 4 is needed", device.version()));
        }
        device.verify()?;
        Ok(Arc::new(device))
    }

    /// Such as `4.4.0`.
    pub fn version(&self) -> String {
        self.version.map(|part| part.to_string()).join(".")
    }

    /// The error since the last look.
    fn verify(&self) -> Result<(), String> {
        // SAFETY: a live device.
        match unsafe { (self.embree.functions.device_error)(self.handle.as_ptr()) } {
            0 => Ok(()),
            error => Err(format!("Embree reports error {error}")),
        }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: the one reference that `new` took; scenes hold the device, so none is left.
        unsafe { (self.embree.functions.release_device)(self.handle.as_ptr()) };
    }
}

/// Adds what Embree takes, and subtracts what it gives back.
extern "C" fn count_bytes(held: *mut c_void, bytes: isize, _after: bool) -> bool {
    // SAFETY: the address of `Device::held`, which outlives the device that calls.
    unsafe { &*held.cast::<AtomicIsize>() }.fetch_add(bytes, Ordering::Relaxed);
    true
}

/// What a scene is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The default.
    Fast,
    /// With `RTC_SCENE_FLAG_ROBUST`.
    Robust,
    /// The default, with a filter that records every crossing: for [`Scene::crossings`] alone.
    Recording,
    /// Both.
    RobustRecording,
}

impl Kind {
    fn is_robust(self) -> bool {
        matches!(self, Kind::Robust | Kind::RobustRecording)
    }

    fn records(self) -> bool {
        matches!(self, Kind::Recording | Kind::RobustRecording)
    }
}

/// A mesh, or instances of one, in a committed scene of medium build quality.
pub struct Scene {
    device: Arc<Device>,
    handle: NonNull<c_void>,
    bytes: usize,
}

// SAFETY: Embree's manual: a committed scene may be asked from any number of threads; it is never changed again.
unsafe impl Send for Scene {}
// SAFETY: as above.
unsafe impl Sync for Scene {}

impl Scene {
    /// Copies a mesh into Embree's own buffers and builds its tree.
    ///
    /// # Errors
    /// What Embree reports, such as a lack of memory.
    pub fn new(device: &Arc<Device>, mesh: &Mesh, kind: Kind) -> Result<Scene, String> {
        // RTC_BUFFER_TYPE_INDEX and _VERTEX, RTC_FORMAT_UINT3 and _FLOAT3.
        const INDEX: [u32; 2] = [0, 0x5003];
        const VERTEX: [u32; 2] = [1, 0x9003];
        let functions = &device.embree.functions;
        let (scene, before) = Scene::empty(device)?;
        // SAFETY: a live device; 0 is RTC_GEOMETRY_TYPE_TRIANGLE.
        let geometry = unsafe { (functions.new_geometry)(device.handle.as_ptr(), 0) };
        let geometry = NonNull::new(geometry).ok_or("Embree gives no geometry")?.as_ptr();
        let (vertices, triangles) = (mesh.vertices(), mesh.triangles());
        // SAFETY: a live geometry. Each buffer has as many items of 12 bytes as are asked for, or is null; what is copied
        // into it are as many items of 12 bytes from a list of ours, which is elsewhere. A `Mesh` has checked that its
        // indices are below the number of its vertices. The scene keeps the geometry when our reference is given back.
        unsafe {
            let buffer = |[kind, format]: [u32; 2], items: usize| {
                (functions.new_buffer)(geometry, kind, 0, format, 12, items)
            };
            let (points, rows) = (buffer(VERTEX, vertices.len()), buffer(INDEX, triangles.len()));
            if points.is_null() || rows.is_null() {
                (functions.release_geometry)(geometry);
                return Err("Embree gives no buffer".to_owned());
            }
            points.cast::<[f32; 3]>().copy_from_nonoverlapping(vertices.as_ptr(), vertices.len());
            rows.cast::<[u32; 3]>().copy_from_nonoverlapping(triangles.as_ptr(), triangles.len());
            if kind.records() {
                (functions.intersect_filter)(geometry, record);
                (functions.occluded_filter)(geometry, record);
            }
            (functions.commit_geometry)(geometry);
            (functions.attach)(scene.handle.as_ptr(), geometry);
            (functions.release_geometry)(geometry);
        }
        scene.flag(kind);
        scene.commit(before)
    }

    /// A scene without geometries, and the bytes that the device held before.
    fn empty(device: &Arc<Device>) -> Result<(Scene, isize), String> {
        let before = device.held.load(Ordering::Relaxed);
        // SAFETY: a live device.
        let scene = unsafe { (device.embree.functions.new_scene)(device.handle.as_ptr()) };
        let handle = NonNull::new(scene).ok_or("Embree gives no scene")?;
        Ok((Scene { device: device.clone(), handle, bytes: 0 }, before))
    }

    /// Says what it is made for.
    fn flag(&self, kind: Kind) {
        // RTC_SCENE_FLAG_ROBUST.
        const ROBUST: u32 = 1 << 2;
        // SAFETY: a live scene, which nobody asks yet.
        unsafe {
            (self.device.embree.functions.set_flags)(
                self.handle.as_ptr(),
                if kind.is_robust() { ROBUST } else { 0 },
            );
        }
    }

    /// Builds its tree.
    fn commit(mut self, before: isize) -> Result<Scene, String> {
        // RTC_BUILD_QUALITY_MEDIUM.
        const MEDIUM: u32 = 1;
        let functions = &self.device.embree.functions;
        // SAFETY: a live scene, which nobody asks yet.
        unsafe {
            (functions.set_quality)(self.handle.as_ptr(), MEDIUM);
            (functions.commit_scene)(self.handle.as_ptr());
        }
        self.device.verify()?;
        self.bytes = usize::try_from(self.device.held.load(Ordering::Relaxed) - before).unwrap_or(0);
        Ok(self)
    }

    /// A scene of two levels: one instance of another scene at each place, three columns of a matrix and then the offset;
    /// of medium build quality. Not for kinds that record.
    ///
    /// # Errors
    /// What Embree reports, such as a lack of memory.
    pub fn of_instances(of: &Scene, places: &[[f32; 12]], kind: Kind) -> Result<Scene, String> {
        // RTC_GEOMETRY_TYPE_INSTANCE and RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR.
        const INSTANCE: u32 = 121;
        const COLUMNS: u32 = 0x9234;
        let device = &of.device;
        let functions = &device.embree.functions;
        let (scene, before) = Scene::empty(device)?;
        for place in places {
            // SAFETY: a live device.
            let geometry = unsafe { (functions.new_geometry)(device.handle.as_ptr(), INSTANCE) };
            let geometry = NonNull::new(geometry).ok_or("Embree gives no geometry")?.as_ptr();
            // SAFETY: a live geometry of instances and a committed scene of the same device, which the geometry keeps; the
            // twelve numbers are copied within the call. The new scene keeps the geometry when our reference is given back.
            unsafe {
                (functions.instanced_scene)(geometry, of.handle.as_ptr());
                (functions.transform)(geometry, 0, COLUMNS, place.as_ptr().cast());
                (functions.commit_geometry)(geometry);
                (functions.attach)(scene.handle.as_ptr(), geometry);
                (functions.release_geometry)(geometry);
            }
        }
        scene.flag(kind);
        scene.commit(before)
    }

    /// Bytes that Embree took for the scene and kept, its copy of vertices and indices included. Right where no other
    /// scene of the device was made or dropped meanwhile.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// `rtcIntersect1` for each. Not for scenes that record.
    pub fn closest(&self, rays: &mut [RayHit1]) {
        let mut context = Context::new(null_mut());
        let mut arguments = Arguments::new(0, &mut context);
        let ask = self.device.embree.functions.intersect1;
        for ray in rays {
            // SAFETY: a committed scene; ray and arguments live through the call and are nobody else's. Embree writes
            // within the ray and within the instances of the context.
            unsafe { ask(self.handle.as_ptr(), ray, &mut arguments) };
        }
    }

    /// `rtcOccluded1` for each. Not for scenes that record.
    pub fn occluded(&self, rays: &mut [Ray1]) {
        let mut context = Context::new(null_mut());
        let mut arguments = Arguments::new(0, &mut context);
        let ask = self.device.embree.functions.occluded1;
        for ray in rays {
            // SAFETY: as in `closest`.
            unsafe { ask(self.handle.as_ptr(), ray, &mut arguments) };
        }
    }

    /// `rtcIntersect16` for each. Not for scenes that record.
    pub fn closest16(&self, packets: &mut [RayHit16], coherent: bool) {
        let mut context = Context::new(null_mut());
        let mut arguments = Arguments::new(if coherent { COHERENT } else { 0 }, &mut context);
        let ask = self.device.embree.functions.intersect16;
        for packet in packets {
            // SAFETY: as in `closest`; mask and packet are aligned to 64 bytes.
            unsafe { ask(&ALL_LANES, self.handle.as_ptr(), packet, &mut arguments) };
        }
    }

    /// `rtcOccluded16` for each. Not for scenes that record.
    pub fn occluded16(&self, packets: &mut [Ray16], coherent: bool) {
        let mut context = Context::new(null_mut());
        let mut arguments = Arguments::new(if coherent { COHERENT } else { 0 }, &mut context);
        let ask = self.device.embree.functions.occluded16;
        for packet in packets {
            // SAFETY: as in `closest16`.
            unsafe { ask(&ALL_LANES, self.handle.as_ptr(), packet, &mut arguments) };
        }
    }

    /// The crossings of each ray, of a scene that records, by `rtcIntersect1` with the filter; at most so
    /// many of the first ones.
    pub fn crossings(&self, rays: &mut [RayHit1], most: Option<usize>) -> Crossings {
        let ask = self.device.embree.functions.intersect1;
        // SAFETY: as in `closest`, and the context has a recorder, which the filter needs.
        self.record(rays, most, |ray, arguments| unsafe { ask(self.handle.as_ptr(), ray, arguments) })
    }

    /// All crossings of each ray, of a scene that records, by `rtcOccluded1` with the filter.
    pub fn crossings_unordered(&self, rays: &mut [Ray1]) -> Crossings {
        let ask = self.device.embree.functions.occluded1;
        // SAFETY: as in `crossings`.
        self.record(rays, None, |ray, arguments| unsafe { ask(self.handle.as_ptr(), ray, arguments) })
    }

    fn record<R>(
        &self,
        rays: &mut [R],
        most: Option<usize>,
        ask: impl Fn(&mut R, &mut Arguments),
    ) -> Crossings {
        let found = Crossings { ends: Vec::with_capacity(rays.len()), found: Vec::new() };
        let mut recorder = Recorder { first: 0, most, all: found };
        let place: *mut Recorder = &mut recorder;
        let mut context = Context::new(place);
        let mut arguments = Arguments::new(0, &mut context);
        for ray in rays {
            ask(ray, &mut arguments);
            // SAFETY: the query is over, so nothing else holds the recorder now, and it lives to the end of this function.
            unsafe { &mut *place }.close();
        }
        recorder.all
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        // SAFETY: the one reference that `new` took.
        unsafe { (self.device.embree.functions.release_scene)(self.handle.as_ptr()) };
    }
}

/// The filter: writes a crossing down and refuses it, so that the ray goes on; once there are as many as wanted, the
/// ray ends at the last of them.
extern "C" fn record(crossing: *const Crossing) {
    // SAFETY: Embree calls with one ray, since a recording scene is asked through `Scene::record` alone; its pointers live
    // through the call, and what they point at is apart from each other.
    let (valid, ray, hit, context) = unsafe {
        let crossing = &*crossing;
        (&mut *crossing.valid, &mut *crossing.ray, &*crossing.hit, &*crossing.context)
    };
    // SAFETY: `Scene::record` put it there, and does not look at it while it asks.
    let recorder = unsafe { &mut *context.recorder };
    let found = Found { t: ray.t_far, uv: [hit.u, hit.v], prim: hit.prim };
    match recorder.take(found) {
        Some(end) => ray.t_far = end,
        None => *valid = 0,
    }
}

/// One crossing.
pub struct Found {
    pub t: f32,
    /// The barycentrics, which nobody here reads: a user would have wanted them.
    #[expect(dead_code, reason = "written so that a crossing costs what it costs a user")]
    pub uv: [f32; 2],
    pub prim: u32,
}

impl Found {
    fn is_before(&self, other: &Found) -> bool {
        self.t < other.t || (self.t == other.t && self.prim < other.prim)
    }
}

/// The crossings of many rays, each ray's in order.
pub struct Crossings {
    /// Where each ray's end in `found`.
    pub ends: Vec<usize>,
    pub found: Vec<Found>,
}

/// Collects the crossings of one ray after the other.
struct Recorder {
    /// Where those of this ray begin.
    first: usize,
    most: Option<usize>,
    all: Crossings,
}

impl Recorder {
    /// Keeps a crossing; where as many are kept as are wanted, the `t` of the last.
    fn take(&mut self, found: Found) -> Option<f32> {
        let Some(most) = self.most else {
            self.all.found.push(found);
            return None;
        };
        let at = self.all.found[self.first..].partition_point(|kept| kept.is_before(&found));
        if at < most {
            self.all.found.insert(self.first + at, found);
            self.all.found.truncate(self.first + most);
        }
        if self.all.found.len() - self.first < most { None } else { self.all.found.last().map(|last| last.t) }
    }

    /// The ray is done.
    fn close(&mut self) {
        if self.most.is_none() {
            self.all.found[self.first..]
                .sort_unstable_by(|a, b| a.t.total_cmp(&b.t).then(a.prim.cmp(&b.prim)));
        }
        self.first = self.all.found.len();
        self.all.ends.push(self.first);
    }
}

impl Ray1 {
    pub fn new(origin: [f32; 3], dir: [f32; 3], t_near: f32, t_far: f32) -> Ray1 {
        Ray1 { origin, t_near, dir, time: 0.0, t_far, mask: u32::MAX, id: 0, flags: 0 }
    }
}

impl RayHit1 {
    pub fn new(ray: Ray1) -> RayHit1 {
        let hit =
            Hit1 { normal: [0.0; 3], u: 0.0, v: 0.0, prim: MISSED, geom: MISSED, instances: [MISSED; 5] };
        RayHit1 { ray, hit }
    }
}

impl Ray16 {
    /// At most 16 rays; the other lanes have an empty range.
    pub fn new(rays: &[Ray1]) -> Ray16 {
        let mut packet = Ray16 {
            origin: [[0.0; LANES]; 3],
            t_near: [f32::INFINITY; LANES],
            dir: [[1.0; LANES]; 3],
            time: [0.0; LANES],
            t_far: [f32::NEG_INFINITY; LANES],
            mask: [u32::MAX; LANES],
            id: [0; LANES],
            flags: [0; LANES],
        };
        for (lane, ray) in rays.iter().enumerate() {
            for axis in 0..3 {
                packet.origin[axis][lane] = ray.origin[axis];
                packet.dir[axis][lane] = ray.dir[axis];
            }
            packet.t_near[lane] = ray.t_near;
            packet.t_far[lane] = ray.t_far;
        }
        packet
    }
}

impl RayHit16 {
    /// At most 16 rays; the other lanes have an empty range.
    pub fn new(rays: &[Ray1]) -> RayHit16 {
        let hit = Hit16 {
            normal: [[0.0; LANES]; 3],
            u: [0.0; LANES],
            v: [0.0; LANES],
            prim: [MISSED; LANES],
            geom: [MISSED; LANES],
            instances: [[MISSED; LANES]; 5],
        };
        RayHit16 { ray: Ray16::new(rays), hit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(most: Option<usize>, given: &[(f32, u32)]) -> (Vec<(f32, u32)>, Vec<Option<f32>>) {
        let all = Crossings { ends: Vec::new(), found: Vec::new() };
        let mut recorder = Recorder { first: 0, most, all };
        let take = |&(t, prim): &(f32, u32)| recorder.take(Found { t, uv: [0.0; 2], prim });
        let ends = given.iter().map(take).collect();
        recorder.close();
        (recorder.all.found.iter().map(|found| (found.t, found.prim)).collect(), ends)
    }

    #[test]
    fn all_crossings_are_sorted() {
        let (found, ends) = kept(None, &[(3.0, 1), (1.0, 7), (1.0, 2)]);
        assert_eq!(found, [(1.0, 2), (1.0, 7), (3.0, 1)]);
        assert_eq!(ends, [None; 3]);
    }

    #[test]
    fn the_first_crossings_end_the_ray() {
        let (found, ends) = kept(Some(2), &[(3.0, 1), (2.0, 7), (5.0, 2), (2.0, 3)]);
        assert_eq!(found, [(2.0, 3), (2.0, 7)]);
        assert_eq!(ends, [None, Some(3.0), Some(3.0), Some(2.0)]);
    }
}
