//! What the compiler made of the kernels.

use object::{Object, ObjectSymbol};

/// An intrinsic is one instruction where it stands in a function that is compiled for its instruction set. Within a closure, or
/// what else is not inlined into such a function, it is a function of its own, which is called: with that, groups of rays took half as
/// long again.
#[test]
fn no_instruction_of_a_kernel_is_a_call() {
    let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    let file = object::File::parse(&*program).unwrap();
    let names: Vec<&str> = file.symbols().filter_map(|symbol| symbol.name().ok()).collect();
    assert!(names.iter().any(|name| name.contains("run_avx2")), "the names of functions are there");
    let is_intrinsic = |name: &&&str| {
        name.contains("core_arch") && ["_mm_", "_mm256_", "_mm512_"].iter().any(|mm| name.contains(mm))
    };
    let calls: Vec<_> = names.iter().filter(is_intrinsic).collect();
    assert!(calls.is_empty(), "{calls:#?}");
}
