//! Metrics of the process, under the standard names of Prometheus clients.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

/// Registers the values that do not change after the start.
pub(super) fn register(registry: &mut Registry) {
    let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
    registry.register("hitode_build", "Version of the program", version);
    if let Ok(now) = SystemTime::now().duration_since(UNIX_EPOCH) {
        registry.register_with_unit(
            "process_start_time",
            "Unix time at which the process started to serve",
            Unit::Seconds,
            ConstGauge::new(now.as_secs_f64()),
        );
    }
}

/// Registers the present resource use of the process, as far as the system provides it (`proc(5)`).
pub(super) fn register_use(registry: &mut Registry) {
    if let Some(bytes) = resident_bytes(&fs::read_to_string("/proc/self/status").unwrap_or_default()) {
        registry.register_with_unit(
            "process_resident_memory",
            "Resident memory of the process",
            Unit::Bytes,
            ConstGauge::new(bytes),
        );
    }
    if let Ok(entries) = fs::read_dir("/proc/self/fd") {
        let open = u64::try_from(entries.count()).unwrap_or(u64::MAX);
        registry.register("process_open_fds", "Open file descriptors", ConstGauge::new(open));
    }
}

fn resident_bytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resident_memory_is_read_where_the_system_has_it() {
        assert_eq!(
            resident_bytes("Name:\thitode\nVmRSS:\t   12345 kB\nThreads:\t5\n"),
            Some(12345 * 1024)
        );
        assert_eq!(resident_bytes("VmRSS:\t12345 pages\n"), None);
        assert_eq!(resident_bytes(""), None);
    }
}
