//! Tests that run on an adapter, Mesa's software driver where there is no GPU. Without an adapter they fail, and say what to install.

#![allow(clippy::unwrap_used, reason = "in tests a panic is the report")]

#[path = "../common/mod.rs"]
mod common;

mod blocks;
mod boundary;
mod convolution;
mod direct;
mod display;
mod divided;
mod double;
mod doubling;
mod families;
mod filter;
mod filter_bank;
mod integers;
mod kernels;
mod kronecker;
mod lengths;
mod ntt;
mod overlapped;
mod packed;
mod real;
mod shaders;
mod spectral_logic;
mod split_merge;
mod tridiagonal;
mod uploads;
mod variants;
mod wavelets;
mod ways;
