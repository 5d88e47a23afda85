//! The question of a step: predict, let the program read the answer, and learn why.

use super::LearnMemory;
use super::state::subjects_of;
use crate::engine::{Ask, Cancellable, EngineError, SharedResult, Study, StudyMailbox, TimingGuard, TimingLock, TimingReason};
use crate::lesson::{Lesson, Question, Step, agree, with_minus};
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
        Answer(read_by(&lesson.steps[*index], || mailbox.lock_timing(TimingReason::Asked)))
    }
}

/// The answer, or why there is none.
struct Answer(Result<String, String>);

impl Cancellable for Answer {
    fn failed(fault: String) -> Self {
        Self(Err(fault))
    }

    fn is_cancelled(&self) -> bool {
        self.0.as_ref().is_err_and(|error| *error == EngineError::Cancelled.to_string())
    }
}

/// What was predicted at a step, and what the program read.
struct Prediction {
    given: String,
    answer: Option<Result<String, String>>,
}

/// The questions that were answered since the program began.
pub(super) struct Questions {
    predictions: HashMap<StepAt, Prediction>,
    /// What is being typed.
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
            match self.predictions.get(&at) {
                None => {
                    if let Some(given) = self.choice_ui(ui, question) {
                        learn.set_answered(lesson, index, true);
                        self.predict(ui, focus, Asked(lesson, index), given);
                    }
                }
                Some(prediction) => {
                    let again = prediction_ui(ui, question, prediction);
                    if again {
                        self.predictions.remove(&at);
                        learn.set_answered(lesson, index, false);
                    }
                }
            }
        });
    }

    /// The choices, or a field for an answer; returns what was chosen or typed.
    fn choice_ui(&mut self, ui: &mut Ui, question: &Question) -> Option<String> {
        let width = ui.available_width();
        let button = |choice: &str| Button::new(with_minus(choice)).wrap().min_size(vec2(width, 7.0 * GRID));
        let chosen = question.choices.iter().find(|choice| ui.add(button(choice)).clicked()).cloned();
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

    /// Keeps a prediction, asks for the answer, and lets the graph run to where it stands.
    fn predict(&mut self, ui: &Ui, focus: &mut PlanFocus, asked: Asked, given: String) {
        if let Some(question) = &asked.0.steps[asked.1].question {
            let n_run = question.read.stage().unwrap_or(usize::MAX);
            focus.set_when_run(n_run.max(focus.n_run), focus.pinned);
        }
        self.predictions.insert((asked.0.name.clone(), asked.1), Prediction { given, answer: None });
        self.studied.ask_anew(ui.ctx(), &asked);
        self.asked = Some(asked);
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
pub fn read_answer(step: &Step, timing_lock: &TimingLock) -> Result<String, String> {
    read_by(step, || timing_lock.lock(TimingReason::Asked, &AtomicBool::new(false)).ok_or(EngineError::Cancelled))
}

/// As [`read_answer`], where `lock` takes the lock for an answer that is measured.
fn read_by(step: &Step, lock: impl FnOnce() -> Result<TimingGuard, EngineError>) -> Result<String, String> {
    let question = step.question.as_ref().ok_or("the step has no question")?;
    // Two measurements would disturb each other.
    let _guard = question.read.is_measured().then(lock).transpose().map_err(|error| error.to_string())?;
    subjects_of(&step.state).and_then(|subjects| question.read.read(&subjects))
}

/// What was predicted, what the program read, and why; returns whether the question is asked again.
fn prediction_ui(ui: &mut Ui, question: &Question, prediction: &Prediction) -> bool {
    let tokens = Tokens::current(ui);
    let given = prediction.given.trim();
    match &prediction.answer {
        None => {
            ui.horizontal(|ui| {
                ui.spinner();
                widgets::weak(ui, "The program reads the answer");
            });
            return false;
        }
        Some(Err(error)) => widgets::error(ui, error),
        Some(Ok(answer)) => {
            let is_right = agree(given, answer);
            let verdict = if is_right { "as you predicted".to_owned() } else { format!("you said {}", with_minus(given)) };
            let color = if is_right { tokens.accent } else { tokens.warning };
            ui.add(Label::new(RichText::new(format!("{}: {verdict}", with_minus(answer))).strong().color(color)).wrap());
            ui.add(Label::new(&question.why).wrap());
        }
    }
    ui.small_button("Ask again").on_hover_text("Takes the prediction back").clicked()
}
