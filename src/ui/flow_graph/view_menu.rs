//! The menu *View* of a flow graph.

use super::FlowGraphView;
use crate::graph::{GraphLayout, ends_with_permutation};
use egui::Ui;

impl FlowGraphView {
    /// The choices of the menu *View*.
    pub(super) fn view_ui(&mut self, ui: &mut Ui) {
        if let Some(has_second) = &mut self.has_second {
            ui.checkbox(has_second, "Second graph")
                .on_hover_text("Another algorithm for the same data beside this graph, which steps with it");
        }
        ui.checkbox(&mut self.binary, "Binary indices");
        ui.checkbox(&mut self.as_table, "As table");
        if self.request().is_some_and(|request| ends_with_permutation(&request.plan)) {
            let about = "Leaves the permutation at the end out, and names the results on the lanes where they arise";
            ui.checkbox(&mut self.fold, "Fold permutation").on_hover_text(about);
        }
        if let Some(request) = &self.request {
            self.lazy.choice_ui(ui, &request.plan);
        }
        self.layout_ui(ui);
        let mut has_card = !self.hides_card;
        ui.checkbox(&mut has_card, "Legend and card").on_hover_text("The legend, and the node under the pointer, beside the graph");
        self.hides_card = !has_card;
        let mut has_buffers = !self.hides_buffers;
        ui.checkbox(&mut has_buffers, "Buffers").on_hover_text("Below the graph: which buffer holds what at the step cursor");
        self.hides_buffers = !has_buffers;
    }

    /// The layouts that suit the plan and its schedule, if there are several.
    fn layout_ui(&mut self, ui: &mut Ui) {
        let layouts = [
            (GraphLayout::Plan, "Lanes of the plan", "Every result stands on its lane of the plan"),
            (
                GraphLayout::InPlace,
                "In-place layout",
                "Every result stands where its butterfly has read, and a permutation at the end sorts, as papers draw filter banks",
            ),
            (
                GraphLayout::Sections,
                "Sections as trapezoids",
                "What tiles finish alone and what merges finish, over the samples and the steps",
            ),
        ];
        let Some(request) = self.request.clone() else { return };
        let suits: Vec<_> = layouts.into_iter().filter(|(layout, ..)| layout.suits(&request.plan, &request.schedule)).collect();
        if suits.len() > 1 {
            ui.separator();
            for (layout, name, about) in suits {
                ui.radio_value(&mut self.layout, layout, name).on_hover_text(about);
            }
            ui.separator();
        }
    }
}
