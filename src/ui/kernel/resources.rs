//! The registers and the memory of a workgroup of the launch, and why the registers that the driver counts are not there.

use super::study::KernelReport;
use crate::gpu::lower::trace::KernelResources;
use crate::numerals::{bytes, counted, integer};
use crate::ui::theme::{GRID, Tokens};
use egui::{Label, RichText, Ui};

/// Shows threads, workgroup memory and the registers of the text.
pub(super) fn ui(ui: &mut Ui, report: &KernelReport) {
    let Some(resources) = report.resources else { return };
    let memory = match resources.workgroup_bytes {
        0 => "No workgroup memory".to_owned(),
        held => format!("{} of workgroup memory in each workgroup", bytes(held as u64)),
    };
    ui.add_space(2.0 * GRID);
    ui.strong("Registers and workgroup memory");
    let line = |ui: &mut Ui, text: String| ui.add(Label::new(text).wrap());
    line(ui, format!("{}. {memory}.", counted(resources.threads, "thread")));
    line(ui, format!("The text names {} numbers of 32 bits in a thread.", integer(resources.named_numbers)));
    ui.add(Label::new(RichText::new(KernelResources::WHY_NO_REGISTERS).color(Tokens::current(ui).weak)).wrap());
}
