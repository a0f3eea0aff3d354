//! What the processor calls itself.

use std::process::Command;

/// The processor's name where the system tells it, else its architecture.
pub fn name() -> String {
    let linux = || {
        let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
        let line = info.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.to_owned())
    };
    let mac = || {
        let asked = cfg!(target_os = "macos")
            .then(|| Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output().ok())??;
        String::from_utf8(asked.stdout).ok()
    };
    let windows = || std::env::var("PROCESSOR_IDENTIFIER").ok();
    let told = linux().or_else(mac).or_else(windows).map(|name| name.trim().to_owned());
    told.filter(|name| !name.is_empty()).unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}
