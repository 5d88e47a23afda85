//! Several signals that are open in one layout, each with its settings, as tabs of the pane *Source*.

use super::action::Action;
use super::origin::Origin;
use super::settings::Settings;
use super::widgets;
use egui::{Role, Ui, WidgetInfo};

/// The signals that are open in a layout; a single one has no tabs.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct SourceTabs {
    /// The settings of every tab; those of the shown one are kept when it is left.
    open: Vec<Settings>,
    /// The shown one.
    shown: usize,
}

impl SourceTabs {
    /// Opens signals beside those that are open, each with the settings of the shown one, and shows the first.
    pub(super) fn add(&mut self, settings: &mut Settings, origins: impl IntoIterator<Item = Origin>) {
        // A signal that is not a file can be made again with one click.
        if self.open.is_empty() && matches!(settings.origin, Origin::File(_)) {
            self.open.push(settings.clone());
        }
        let mut first = None;
        for origin in origins {
            let known = self.open.iter().position(|tab| tab.origin == origin);
            let index = known.unwrap_or_else(|| {
                let mut tab = settings.clone();
                tab.open(origin);
                self.open.push(tab);
                self.open.len() - 1
            });
            first = first.or(Some(index));
        }
        self.shown = self.shown.min(self.open.len().saturating_sub(1));
        if let Some(first) = first {
            // Before its first tabs the shown signal may be none of them.
            let is_open = self.open.get(self.shown).is_some_and(|tab| tab.origin == settings.origin);
            if is_open { self.show(settings, first) } else { self.take(settings, first) }
        }
    }

    /// Shows a tab with its settings, and keeps those of the one before.
    pub(super) fn show(&mut self, settings: &mut Settings, index: usize) {
        if let Some(left) = self.open.get_mut(self.shown) {
            *left = settings.clone();
        }
        self.take(settings, index);
    }

    /// Takes the settings of a tab. Device and precision belong to the machine, so they stay.
    fn take(&mut self, settings: &mut Settings, index: usize) {
        let Some(next) = self.open.get(index) else { return };
        let (device, precision) = (settings.device.clone(), settings.precision);
        *settings = Settings { device, precision, ..next.clone() };
        self.shown = index;
    }

    /// Shows the next tab, or by −1 the one before; returns whether there is one.
    pub(super) fn step(&mut self, settings: &mut Settings, step: isize) -> bool {
        let n = self.open.len() as isize;
        if n > 1 {
            self.show(settings, (self.shown as isize + step).rem_euclid(n) as usize);
        }
        n > 1
    }

    /// Closes a tab; the one behind it is shown where it was the shown one.
    pub(super) fn close(&mut self, settings: &mut Settings, index: usize) {
        if index >= self.open.len() {
            return;
        }
        self.open.remove(index);
        if index == self.shown {
            self.take(settings, index.min(self.open.len().saturating_sub(1)));
        } else if index < self.shown {
            self.shown -= 1;
        }
        if self.open.len() < 2 {
            *self = Self::default();
        }
    }

    /// Takes out what another layout shows from now on: the tab of `origin` where `shown` is another one of them, otherwise all that were just opened.
    pub(super) fn take_out(&mut self, origin: &Origin, shown: Option<&Origin>) -> Vec<Origin> {
        let place = |wanted: &Origin| self.open.iter().position(|tab| tab.origin == *wanted);
        let Some(index) = place(origin) else { return Vec::new() };
        if shown.and_then(place).is_none() {
            return std::mem::take(self).open.into_iter().map(|tab| tab.origin).collect();
        }
        self.open.remove(index);
        if self.open.len() < 2 {
            *self = Self::default();
        }
        vec![origin.clone()]
    }

    /// Whether there are tabs.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Finds the tab of the settings again after an undo, and gives the shown tab another signal that was opened in it.
    pub(super) fn follow(&mut self, settings: &Settings) {
        if self.open.get(self.shown).is_none_or(|shown| shown.origin == settings.origin) {
            return;
        }
        match self.open.iter().position(|tab| tab.origin == settings.origin) {
            Some(index) => self.shown = index,
            None => self.open[self.shown].open(settings.origin.clone()),
        }
    }
}

/// The most width of a name, and the room that a tab takes beside it.
const MOST_WIDTH: f32 = 200.0;
const WIDTH_OF_CLOSING: f32 = 48.0;

/// The row of tabs, where several signals are open.
pub(super) fn tabs_ui(ui: &mut Ui, SourceTabs { open, shown }: &SourceTabs, actions: &mut Vec<Action>) {
    if open.len() < 2 {
        return;
    }
    let room = ui.available_width() - WIDTH_OF_CLOSING;
    ui.horizontal_wrapped(|ui| {
        for (index, tab) in open.iter().enumerate() {
            let title = tab.origin.title();
            let is_shown = index == *shown;
            let label = ui.selectable_label(is_shown, widgets::name_of_width(ui, &title, MOST_WIDTH.min(room)));
            widgets::outline(ui, &label, is_shown);
            label.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_shown, format!("Tab {title}")));
            let about = "Shows this signal with its own settings; Ctrl+PageDown and Ctrl+PageUp walk through the tabs";
            if label.on_hover_text(format!("{title}\n{about}")).clicked() {
                actions.push(Action::ShowTab(index));
            }
            let close = ui.button("×").on_hover_text("Closes the tab; the file stays");
            close.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Close {title}")));
            if close.clicked() {
                actions.push(Action::CloseTab(index));
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prepare::{Detrend, Extent};

    fn file(name: &str) -> Origin {
        Origin::File(name.into())
    }

    #[test]
    fn every_tab_keeps_its_settings() {
        let (mut tabs, mut settings) = (SourceTabs::default(), Settings::default());
        tabs.add(&mut settings, ["a.png", "b.png", "c.png"].map(file));
        assert_eq!((tabs.open.len(), &settings.origin), (3, &file("a.png")), "the sample that was shown is no tab");
        settings.preparation.detrend = Detrend::Mean;
        settings.preparation.padding.extent = Extent::To([3, 5]);
        assert!(tabs.step(&mut settings, 1));
        assert_eq!((&settings.origin, settings.preparation.detrend), (&file("b.png"), Detrend::None));
        tabs.show(&mut settings, 0);
        assert_eq!((&settings.origin, settings.preparation.detrend), (&file("a.png"), Detrend::Mean));
        assert_eq!(settings.preparation.padding.extent, Extent::To([3, 5]));
        let mut others = SourceTabs::default();
        others.add(&mut settings.clone(), ["a.png", "e.png"].map(file));
        assert_eq!(others.open[1].preparation.padding.extent, Extent::None, "a size belongs to the signal for which it was typed");
        // An undo goes back to another tab.
        tabs.follow(&Settings { origin: file("c.png"), ..settings.clone() });
        assert_eq!(tabs.shown, 2);
        tabs.follow(&settings);
        // Another file is opened in the tab.
        settings.origin = file("d.png");
        tabs.follow(&settings);
        assert_eq!(tabs.open.iter().map(|tab| tab.origin.title()).collect::<Vec<_>>(), ["d.png", "b.png", "c.png"]);
        tabs.close(&mut settings, 0);
        assert_eq!((&settings.origin, tabs.open.len()), (&file("b.png"), 2));
        tabs.close(&mut settings, 1);
        assert_eq!((&settings.origin, tabs), (&file("b.png"), SourceTabs::default()));
    }
}
