//! The flow graphs of all lessons: no text covers a node or another text.

use crate::graph::assert_apart;
use papillon::graph::{GraphDrawing, Point, Rect, layout};
use papillon::lesson::lessons;
use papillon::ui::subjects_of_lesson;
use rayon::prelude::*;

/// Half the side of a node on paper, less what touches.
const NODE: f32 = 1.5;
/// Graphs of more nodes are drawn without coefficients, or as miniatures.
const MOST_NODES: usize = 1 << 13;

/// The places of nodes: inputs, results, and where the edges of a result meet.
fn nodes(drawing: &GraphDrawing) -> Vec<Point> {
    let inputs = (0..drawing.request.plan.inputs).map(|lane| drawing.position(0, lane));
    inputs.chain(drawing.results.iter().flat_map(|result| result.points)).collect()
}

#[test]
fn no_text_of_a_lesson_covers_a_node_or_another_text() {
    let wrong = |(place, drawing): (String, GraphDrawing)| {
        assert_apart(&drawing.labels, &place);
        let nodes: Vec<Rect> = nodes(&drawing).into_iter().map(|at| Rect::new(at, at).grown(NODE)).collect();
        let covering = drawing.labels.iter().filter(|label| nodes.iter().any(|node| node.overlaps(label.bounds())));
        let texts: Vec<_> = covering.map(|label| label.text.clone()).collect();
        (!texts.is_empty()).then(|| format!("{place}: {}", texts.join(", ")))
    };
    let steps = lessons().iter().flat_map(|lesson| lesson.steps.iter().enumerate().map(move |(index, step)| (lesson, index, step)));
    let steps: Vec<_> = steps.filter(|(_, _, step)| step.state.plan.transform.is_some()).collect();
    let drawings = steps.par_iter().flat_map_iter(|(lesson, index, step)| {
        let subjects = subjects_of_lesson(&step.state).ok();
        let known = subjects.iter().flat_map(|subjects| [subjects.main().ok(), subjects.beside().ok()]).flatten();
        let small = known.filter(|subject| subject.plan.lanes * (subject.plan.stages.len() + 1) <= MOST_NODES);
        let requests: Vec<_> = small.map(|subject| subject.request(step.state.plan.transform.as_deref().unwrap_or_default(), "")).collect();
        let with_values = requests.into_iter().flat_map(|request| {
            [false, true].map(|has_values| {
                let mut request = request.clone();
                request.options.has_values = has_values;
                request
            })
        });
        let place = format!("{}, step {}", lesson.name, index + 1);
        with_values.map(move |request| (place.clone(), layout(request))).collect::<Vec<_>>()
    });
    let found: Vec<Option<String>> = drawings.map(wrong).collect();
    assert!(found.len() > 500, "{} graphs", found.len());
    let wrong: Vec<String> = found.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} graphs have texts over nodes:\n{}", wrong.len(), wrong.join("\n"));
}
