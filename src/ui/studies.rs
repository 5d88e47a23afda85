//! The studies of a window: where they find results, and what all of them do together.

use crate::engine::{Progress, Store};
use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// The part of a study that the window knows.
pub(super) trait AnyStudy {
    /// Whether nothing is under way, and the pane, if it is visible, has seen the newest answer: that may begin other work.
    fn is_settled(&self) -> bool;

    /// How far work is that a visible pane waits for.
    fn progress(&self) -> Option<Progress>;

    /// Gives up work that shows its progress; returns whether there was any.
    fn cancel(&self) -> bool;
}

/// The studies of a window, and the results that they read. A copy has the same ones.
#[derive(Clone, Default)]
pub(super) struct Studies {
    /// The results of the engine.
    pub store: Store,
    all: Rc<RefCell<Vec<Weak<dyn AnyStudy>>>>,
}

impl Studies {
    /// Studies that read the results of a store.
    pub(super) fn of(store: Store) -> Self {
        Self { store, all: Rc::default() }
    }

    /// Adds one, until it is dropped.
    pub(super) fn add(&self, study: &Rc<impl AnyStudy + 'static>) {
        let study: Weak<dyn AnyStudy> = Rc::downgrade(study) as _;
        self.all.borrow_mut().push(study);
    }

    /// Whether all are settled.
    pub(super) fn are_settled(&self) -> bool {
        self.all.borrow().iter().filter_map(Weak::upgrade).all(|study| study.is_settled())
    }

    /// How far the work is that visible panes have waited for longest.
    pub(super) fn progress(&self) -> Option<Progress> {
        self.all.borrow().iter().filter_map(Weak::upgrade).filter_map(|study| study.progress()).min_by_key(|progress| progress.since)
    }

    /// Gives up what shows its progress; returns whether there was something.
    pub(super) fn cancel(&self) -> bool {
        self.all.borrow().iter().filter_map(Weak::upgrade).filter(|study| study.cancel()).count() > 0
    }
}
