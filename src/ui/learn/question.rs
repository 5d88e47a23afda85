//! The question of a step: predict, let the program read the answer, and learn why.

use super::LearnMemory;
use super::state::subjects_of;
use crate::engine::{Ask, Cancellable, EngineError, SharedResult, Study, StudyMailbox, TimingGuard, TimingLock, TimingReason};
use crate::lesson::{Answered, Lesson, LessonStep, Question, Subjects, agree, with_minus};
use crate::ui::plan_focus::PlanFocus;
use crate::ui::studied::Studied;
use crate::ui::studies::Studies;
use crate::ui::theme::{GRID, Tokens};
use crate::ui::widgets;
use egui::{Button, Context, Frame, Label, Margin, RichText, TextEdit, Ui, WidgetInfo, vec2};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

/// A step, by the name of its lesson and its index.
type StepAt = (String, usize);

/// A request for the answer to the question of a step.
#[derive(Debug, Clone, PartialEq)]
struct Asked(&'static Lesson, usize);

impl Ask for Asked {}

/// Reads the answers to questions.
struct QuestionStudy;

impl Study for QuestionStudy {
    type Request = Asked;
    type Report = Answer;

    const NAME: &'static str = "lesson";

    fn is_long(Asked(lesson, index): &Asked) -> bool {
        lesson.steps[*index].question.as_ref().is_some_and(|question| question.read.is_measured())
    }

    fn answer(&mut self, Asked(lesson, index): &Asked, _: Result<Vec<SharedResult>, EngineError>, mut mailbox: StudyMailbox<'_>) -> Answer {
        Answer(read_by(&lesson.steps[*index], || mailbox.lock_timing(TimingReason::Asked), Question::answered))
    }
}

/// The answer, or why there is none.
struct Answer(Result<Answered, String>);

impl Cancellable for Answer {
    fn failed(fault: String) -> Self {
        Self(Err(fault))
    }

    fn is_cancelled(&self) -> bool {
        self.0.as_ref().is_err_and(|error| *error == EngineError::Cancelled.to_string())
    }
}

/// The prediction at a step, and the value that the program read.
struct Prediction {
    /// A wrong prediction, after which the reader may try again.
    first: Option<String>,
    /// The newest prediction; `None` while the reader tries again.
    given: Option<String>,
    answer: Option<Result<Answered, String>>,
}

impl Prediction {
    /// Takes a wrong first prediction back, for a second try; returns whether the question is answered now.
    fn settle(&mut self) -> bool {
        let (Some(given), Some(answer)) = (&self.given, &self.answer) else { return false };
        let is_wrong = answer.as_ref().is_ok_and(|known| !agree(given.trim(), &known.answer));
        if is_wrong && self.first.is_none() {
            self.first = self.given.take();
        }
        self.given.is_some()
    }

    /// The hint for another try.
    fn hint(&self, question: &Question) -> Option<String> {
        let (first, known) = (self.first.as_ref()?, self.answer.as_ref()?.as_ref().ok()?);
        Some(question.hint(first, known))
    }
}

/// The questions that were answered since the program began.
pub(super) struct Questions {
    predictions: HashMap<StepAt, Prediction>,
    /// The text that is being typed.
    typed: String,
    studied: Studied<QuestionStudy>,
    /// The newest question.
    asked: Option<Asked>,
}

impl Questions {
    pub(super) fn new(studies: &Studies) -> Self {
        Self { predictions: HashMap::new(), typed: String::new(), studied: Studied::new(studies, || QuestionStudy), asked: None }
    }

    /// Shows the question of a step, if it has one.
    pub(super) fn ui(&mut self, ui: &mut Ui, learn: &mut LearnMemory, focus: &mut PlanFocus, lesson: &'static Lesson, index: usize) {
        let Some(question) = &lesson.steps[index].question else { return };
        self.take_answer(ui.ctx());
        let tokens = Tokens::current(ui);
        let frame = Frame::new().fill(tokens.well).stroke((1.0, tokens.hairline)).corner_radius(4).inner_margin(Margin::same(12));
        frame.show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.label(RichText::new("Predict").strong().color(tokens.accent));
            ui.add(Label::new(&question.ask).wrap());
            ui.add_space(GRID);
            let at = (lesson.name.clone(), index);
            let mut prediction = self.predictions.remove(&at);
            if prediction.as_mut().is_some_and(Prediction::settle) {
                learn.set_answered(lesson, index, true);
            }
            let is_tried = prediction.as_ref().is_none_or(|prediction| prediction.given.is_none());
            if is_tried {
                prediction = self.try_ui(ui, Asked(lesson, index), question, prediction);
            } else if let Some(known) = &prediction {
                let is_shown = learn.is_revealed(lesson, index);
                match prediction_ui(ui, question, known, is_shown) {
                    Some(Wanted::Anew) => {
                        prediction = None;
                        learn.set_answered(lesson, index, false);
                    }
                    Some(Wanted::Graph) => {
                        let n_run = question.read.stage().unwrap_or(usize::MAX);
                        focus.set_when_run(n_run.max(focus.n_run), focus.pinned);
                        learn.reveal(lesson, index);
                    }
                    None => {}
                }
            }
            prediction.into_iter().for_each(|prediction| drop(self.predictions.insert(at.clone(), prediction)));
        });
    }

    /// The hint after a wrong prediction, and the choices; returns what is known of the prediction then.
    fn try_ui(&mut self, ui: &mut Ui, asked: Asked, question: &Question, known: Option<Prediction>) -> Option<Prediction> {
        let first = known.as_ref().and_then(|known| known.first.clone());
        if let (Some(first), Some(hint)) = (&first, known.as_ref().and_then(|known| known.hint(question))) {
            let said = format!("Not {}. {hint} Try once more.", with_minus(first.trim()));
            ui.add(Label::new(RichText::new(said).color(Tokens::current(ui).warning)).wrap());
            ui.add_space(GRID);
        }
        let Some(given) = self.choice_ui(ui, question, first.as_deref()) else { return known };
        let answer = known.and_then(|known| known.answer);
        if answer.is_none() {
            self.studied.ask_anew(ui.ctx(), &asked);
            self.asked = Some(asked);
        }
        ui.request_repaint();
        Some(Prediction { first, given: Some(given), answer })
    }

    /// The choices but a wrong one, or a field for an answer; returns what was chosen or typed.
    fn choice_ui(&mut self, ui: &mut Ui, question: &Question, wrong: Option<&str>) -> Option<String> {
        let width = ui.available_width();
        let button = |choice: &str| Button::new(with_minus(choice)).wrap().min_size(vec2(width, 7.0 * GRID));
        let chosen =
            question.choices.iter().find(|choice| ui.add_enabled(wrong != Some(choice.as_str()), button(choice)).clicked()).cloned();
        if !question.choices.is_empty() {
            return chosen;
        }
        // The frame of the question is as dark as a field.
        let raised = Tokens::current(ui).raised;
        ui.horizontal(|ui| {
            let field = ui.add(TextEdit::singleline(&mut self.typed).background_color(raised).desired_width(width - 24.0 * GRID));
            field.widget_info(|| WidgetInfo::text_edit(true, "", &self.typed, ""));
            ui.ctx().accesskit_node_builder(field.id, |node| node.set_label("Answer"));
            let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            let is_given = !self.typed.trim().is_empty();
            let clicked = ui.add_enabled(is_given, Button::new("Answer")).clicked();
            (clicked || is_entered && is_given).then(|| std::mem::take(&mut self.typed))
        })
        .inner
    }

    fn take_answer(&mut self, ctx: &Context) {
        let Some(answer) = self.studied.ask(ctx, self.asked.as_ref()) else { return };
        let Asked(lesson, index) = &answer.reply.request;
        if let Some(prediction) = self.predictions.get_mut(&(lesson.name.clone(), *index)) {
            prediction.answer.get_or_insert_with(|| answer.reply.result.0.clone());
        }
    }
}

/// Reads the answer to the question of a step.
///
/// # Errors
/// When the step asks nothing, or its plan has no answer; in one line.
pub fn read_answer(step: &LessonStep, timing_lock: &TimingLock) -> Result<String, String> {
    let lock = || timing_lock.lock(TimingReason::Asked, &AtomicBool::new(false)).ok_or(EngineError::Cancelled);
    read_by(step, lock, |question, subjects| question.read.read(subjects))
}

/// Calls `read` for the question of a step; `lock` takes the lock where the answer is measured.
fn read_by<T>(
    step: &LessonStep,
    lock: impl FnOnce() -> Result<TimingGuard, EngineError>,
    read: impl FnOnce(&Question, &Subjects) -> Result<T, String>,
) -> Result<T, String> {
    let question = step.question.as_ref().ok_or("the step has no question")?;
    // Two measurements would disturb each other.
    let _guard = question.read.is_measured().then(lock).transpose().map_err(|error| error.to_string())?;
    read(question, &subjects_of(&step.state)?)
}

/// The wish of a reader after an answer.
enum Wanted {
    /// The question again.
    Anew,
    /// The answer in the graph.
    Graph,
}

/// Shows the prediction, the value that the program read, and why; returns the next wish of the reader.
fn prediction_ui(ui: &mut Ui, question: &Question, prediction: &Prediction, is_shown: bool) -> Option<Wanted> {
    let tokens = Tokens::current(ui);
    let given = prediction.given.as_deref().unwrap_or_default().trim();
    match &prediction.answer {
        None => {
            ui.horizontal(|ui| {
                ui.spinner();
                widgets::weak(ui, "The program reads the answer");
            });
            return None;
        }
        Some(Err(error)) => widgets::error(ui, error),
        Some(Ok(Answered { answer, .. })) => {
            let is_right = agree(given, answer);
            let verdict = match &prediction.first {
                None if is_right => "as you predicted".to_owned(),
                Some(_) if is_right => "right at the second try".to_owned(),
                _ => format!("you said {}", with_minus(given)),
            };
            let color = if is_right { tokens.accent } else { tokens.warning };
            ui.add(Label::new(RichText::new(format!("{}: {verdict}", with_minus(answer))).strong().color(color)).wrap());
            ui.add(Label::new(&question.why).wrap());
        }
    }
    ui.horizontal(|ui| {
        let about = "Runs the graph as far as the answer, and shows what was hidden for the question";
        // The cursor and the size of the graph change when the reader says so.
        let wants_graph = !is_shown && ui.small_button("Show it in the graph").on_hover_text(about).clicked();
        let wants_anew = ui.small_button("Ask again").on_hover_text("Takes the prediction back").clicked();
        if wants_graph { Some(Wanted::Graph) } else { wants_anew.then_some(Wanted::Anew) }
    })
    .inner
}
