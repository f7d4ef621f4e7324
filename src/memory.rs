//! How much memory this process can still take.
//!
//! On Linux that is the smallest of three numbers: the free memory of the computer, what the limits of the process leave, and what
//! its control group and the groups above it leave. All of them are text under `/proc` and `/sys`. A number that cannot be read sets
//! no limit. On other systems nothing is known. The used memory of a control group includes cached files, which count as free.

use std::fs;
use std::path::Path;

/// The bytes this process can still take, if that is known.
pub fn available() -> Option<u64> {
    if cfg!(not(target_os = "linux")) {
        return None;
    }
    let text = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let machine = kilobytes(&text("/proc/meminfo"), "MemAvailable:");
    let process = left_by_limits(&text("/proc/self/limits"), &text("/proc/self/status"));
    let group = left_by_groups(&text("/proc/self/cgroup"));
    [machine, process, group].into_iter().flatten().min()
}

/// The number after a name at the start of a line.
fn number(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse().ok()
}

/// The same for a number in kilobytes, as bytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    number(text, name)?.checked_mul(1024)
}

/// The bytes of address space that threads and their allocators take beside what they use.
const UNUSED_SPACE: u64 = 16 << 20;

/// The bytes that the limits of the process leave.
fn left_by_limits(limits: &str, status: &str) -> Option<u64> {
    let left = |limit, used| Some(number(limits, limit)?.saturating_sub(kilobytes(status, used).unwrap_or(0)));
    let space = left("Max address space", "VmSize:").map(|left| left.saturating_sub(UNUSED_SPACE));
    let data = left("Max data size", "VmData:");
    [space, data].into_iter().flatten().min()
}

/// The bytes that the control groups of the process leave.
fn left_by_groups(groups: &str) -> Option<u64> {
    let second = group(groups, "").and_then(|path| {
        let files = Files { limit: "memory.max", used: "memory.current", forgettable: "inactive_file " };
        let mounts = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"];
        mounts.into_iter().filter_map(|mount| left_up_to(mount, path, &files)).min()
    });
    let first = group(groups, "memory").and_then(|path| {
        let (limit, used) = ("memory.limit_in_bytes", "memory.usage_in_bytes");
        left_up_to("/sys/fs/cgroup/memory", path, &Files { limit, used, forgettable: "total_inactive_file " })
    });
    [second, first].into_iter().flatten().min()
}

/// The path of the process's group under a controller. In version 2 of control groups, the controller has no name.
fn group<'a>(groups: &'a str, controller: &str) -> Option<&'a str> {
    groups.lines().find_map(|line| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        controllers.split(',').any(|name| name == controller).then_some(path)
    })
}

/// The names of a control group's files, and of the entry for cached files in `memory.stat`.
struct Files {
    limit: &'static str,
    used: &'static str,
    forgettable: &'static str,
}

/// The least that a group and the groups above it leave. In a container the path may be one of the host; then only the top exists.
fn left_up_to(mount: &str, path: &str, files: &Files) -> Option<u64> {
    let folder = Path::new(mount).join(path.trim_start_matches('/'));
    let folders = folder.ancestors().take_while(|folder| folder.starts_with(mount));
    folders.filter_map(|folder| left_in(|name| fs::read_to_string(folder.join(name)).ok(), files)).min()
}

/// The bytes that one group leaves, if it has a limit.
fn left_in(read: impl Fn(&str) -> Option<String>, files: &Files) -> Option<u64> {
    let limit = number(&read(files.limit)?, "")?;
    let used = number(&read(files.used)?, "")?;
    let forgettable = read("memory.stat").and_then(|stat| number(&stat, files.forgettable)).unwrap_or(0);
    Some(limit.saturating_sub(used.saturating_sub(forgettable)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: &str = "Limit                     Soft Limit           Hard Limit           Units     \n\
        Max data size             unlimited            unlimited            bytes     \n\
        Max address space         1048576000           unlimited            bytes     \n";
    const STATUS: &str = "Name:\tmenace\nVmSize:\t  100000 kB\nVmRSS:\t 900 kB\nVmData:\t   2000 kB\n";

    #[test]
    fn the_machine_says_what_is_free() {
        let text = "MemTotal:       24000000 kB\nMemFree:         1000 kB\nMemAvailable:    2000 kB\n";
        assert_eq!(kilobytes(text, "MemAvailable:"), Some(2_048_000));
        assert_eq!(kilobytes("", "MemAvailable:"), None);
    }

    #[test]
    fn limits_leave_what_is_not_used() {
        assert_eq!(left_by_limits(LIMITS, STATUS), Some(1_048_576_000 - 102_400_000 - UNUSED_SPACE));
        let both = LIMITS.replacen("unlimited ", "3000000", 1);
        assert_eq!(left_by_limits(&both, STATUS), Some(3_000_000 - 2_048_000));
        assert_eq!(left_by_limits(&LIMITS.replace("1048576000", "unlimited"), STATUS), None);
        assert_eq!(left_by_limits("Max address space 5", STATUS), Some(0), "no limit is passed below");
    }

    #[test]
    fn groups_are_found_in_both_versions() {
        let text = "8:pids:/\n4:cpu,memory:/box/a:b\n0::/user/me\n";
        assert_eq!(group(text, "memory"), Some("/box/a:b"));
        assert_eq!(group(text, ""), Some("/user/me"));
        assert_eq!(group("8:pids:/\n", "memory"), None);
    }

    #[test]
    fn files_that_can_be_forgotten_count_as_free() {
        let files = Files { limit: "memory.max", used: "memory.current", forgettable: "inactive_file " };
        let group = |limit: &str, stat: &str| {
            let texts = [("memory.max", limit.to_owned()), ("memory.current", "700\n".to_owned())];
            let stat = ("memory.stat", stat.to_owned());
            let texts = [&texts[..], &[stat]].concat();
            left_in(|name| texts.iter().find(|(file, _)| *file == name).map(|(_, text)| text.clone()), &files)
        };
        assert_eq!(group("1000\n", "anon 500\ninactive_file 150\n"), Some(450));
        assert_eq!(group("1000\n", ""), Some(300));
        assert_eq!(group("600\n", ""), Some(0));
        assert_eq!(group("max\n", "inactive_file 150\n"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn something_is_free_here() {
        assert!(available().is_some_and(|bytes| bytes > 0));
    }
}
