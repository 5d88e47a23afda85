//! Lets the linker make the program smaller where it can.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let of_target = |name: &str| std::env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    // Rust's own linker is the default there; others do not know the options, as that of a package for older systems.
    let is_own_target = of_target("ARCH") == "x86_64" && of_target("OS") == "linux" && of_target("ENV") == "gnu";
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    let has_own_linker = is_own_target && std::env::var_os("RUSTC_LINKER").is_none();
    if !has_own_linker || std::env::var("PROFILE").as_deref() != Ok("release") {
        return;
    }
    // Identical functions are kept once: 3 MB less.
    println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
    // Tables of addresses are packed, which the loader of glibc 2.36 can read: 2 MB less.
    if glibc().is_some_and(|version| version >= (2, 36)) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// The version of the C library of this system.
fn glibc() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
