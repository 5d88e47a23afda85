//! Tests that run on an adapter, Mesa's software driver where there is no GPU. Without an adapter they fail, and say what to install.

#![allow(clippy::unwrap_used, reason = "in tests a panic is the report")]

#[path = "../common/mod.rs"]
mod common;

mod convolution;
mod display;
mod double;
mod ends;
mod families;
mod filters;
mod kernels;
mod lengths;
mod overlapped;
mod packed;
mod real;
mod sections;
mod shaders;
mod spectral_logic;
mod steps;
mod tridiagonal;
mod wavelets;
