//! The text of a kernel whose arrays are divided, since a binding takes fewer bytes than they have.
//!
//! Kernels are written for whole arrays. Element `i` of a divided one is element `i & mask` of part `i >> shift`.
//! Where the adapter has arrays of bindings, the parts are one: kernels lose 1 to 29 % of their speed by it on an H200. Elsewhere each part is a variable,
//! and a `switch` finds it: any adapter takes that, but kernels are up to five times slower there.

use naga::front::wgsl;
use naga::{Module, TypeInner};

/// How the array that a kernel reads and the one that it writes are divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Division {
    /// The number of parts of each array.
    pub(super) parts: [usize; 2],
    /// Bytes of every part but the last of an array: a power of two.
    pub(super) part_bytes: u64,
    /// Whether the parts of an array are one array of bindings.
    pub(super) as_bindings: bool,
}

/// A declared array that is divided.
struct Divided<'a> {
    name: &'a str,
    /// Its access: `read` or `read_write`.
    access: &'a str,
    /// The type of an element.
    element: &'a str,
    /// Whether it is the array that is read (0) or the one that is written (1).
    binding: u32,
    /// The bits of an index within a part.
    bits: u32,
    division: &'a Division,
}

impl Division {
    /// The binding of a part of the array that is read (0) or written (1), where each part is a variable: behind those that all kernels have.
    pub(super) fn binding(&self, array: u32, part: usize) -> u32 {
        match (array, part) {
            (_, 0) => array,
            (0, _) => part as u32 + 5,
            _ => (self.parts[0] + part) as u32 + 4,
        }
    }

    /// The text of a kernel with divided arrays.
    ///
    /// # Panics
    /// When the text is not that of a kernel.
    pub(super) fn divide(&self, text: &str) -> String {
        let module = wgsl::parse_str(text).unwrap_or_else(|error| panic!("a kernel is not valid: {error}"));
        let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
        let mut text = code.join("\n");
        for (binding, name, stride) in arrays(&module) {
            let whole = text;
            let declaration = format!("@group(0) @binding({binding}) var<storage, ");
            let end = format!(" {name}: array<");
            let of_array = |line: &&str| line.starts_with(&declaration) && line.contains(&end);
            let line = whole.lines().find(of_array).expect("every array has a line of its own");
            let (access, element) = line.split_once(&end).expect("it was found by that");
            let divided = Divided {
                name: &name,
                access: access.trim_start_matches(&declaration).trim_end_matches('>'),
                element: element.trim_end().trim_end_matches(">;"),
                binding,
                bits: (self.part_bytes / u64::from(stride)).ilog2(),
                division: self,
            };
            let [before, after] = whole.split_once(line).map(|(before, after)| [before, after]).expect("it was found there");
            text = [divided.rewritten(before), divided.declaration(), divided.rewritten(after)].concat();
        }
        if self.as_bindings { format!("enable wgpu_binding_array;\n{text}") } else { text }
    }
}

impl Divided<'_> {
    fn parts(&self) -> usize {
        self.division.parts[self.binding as usize]
    }

    /// The declaration of its parts.
    fn declaration(&self) -> String {
        let Self { name, access, element, binding, .. } = self;
        let n = self.parts();
        if self.division.as_bindings {
            let part = format!("struct Part_{name} {{ values: array<{element}> }}\n");
            return format!("{part}@group(1) @binding({binding}) var<storage, {access}> {name}: binding_array<Part_{name}, {n}>;");
        }
        let variable = |part: usize| {
            format!(
                "@group(0) @binding({}) var<storage, {access}> {name}_{part}: array<{element}>;\n",
                self.division.binding(*binding, part)
            )
        };
        let element_of_part = |part: &str| format!("return {part};");
        let function = format!("fn {name}_at(at: u32) -> {element} {{ {} }}", self.switch("at", element_of_part));
        (0..n).map(variable).chain([function]).collect()
    }

    /// A statement for the part in which an element is.
    fn switch(&self, at: &str, statement: impl Fn(&str) -> String) -> String {
        let (Self { name, bits, .. }, n) = (self, self.parts());
        let case = |part: usize| {
            let label = if part + 1 == n { "default".to_owned() } else { format!("case {part}u") };
            format!("{label}: {{ {} }} ", statement(&format!("{name}_{part}[{at} & {}u]", (1_u32 << bits) - 1)))
        };
        format!("switch {at} >> {bits}u {{ {}}}", (0..n).map(case).collect::<String>())
    }

    /// The text with every element of the array as it is now.
    fn rewritten(&self, text: &str) -> String {
        let (mut done, mut rest) = (String::with_capacity(2 * text.len()), text);
        while let Some((before, behind)) = self.next_element(rest) {
            let (index, after) = split_at_end(behind, ']');
            let index = self.rewritten(index);
            done.push_str(before);
            rest = after;
            if self.division.as_bindings {
                let (name, bits) = (self.name, self.bits);
                done.push_str(&format!("{name}[({index}) >> {bits}u].values[({index}) & {}u]", (1_u32 << bits) - 1));
            } else if let Some((component, value, after)) = assigned(rest) {
                let store = self.switch("element_at", |element| format!("{element}{component} = new_element;"));
                done.push_str(&format!("{{ let new_element = {}; let element_at = {index}; {store} }}", self.rewritten(value)));
                rest = after;
            } else {
                done.push_str(&format!("{}_at({index})", self.name));
            }
        }
        done + rest
    }

    /// The text before the next element, and the text from its index on.
    fn next_element<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let opened = format!("{}[", self.name);
        let is_name = |before: &str| !before.ends_with(|last: char| last.is_alphanumeric() || "_.".contains(last));
        let (at, _) = text.match_indices(&opened).find(|(at, _)| is_name(&text[..*at]))?;
        Some((&text[..at], &text[at + opened.len()..]))
    }
}

/// The text before the first `end` outside all brackets, and the text after it.
fn split_at_end(text: &str, end: char) -> (&str, &str) {
    let mut depth = 0;
    let is_end = |(_, character): &(usize, char)| {
        let found = depth == 0 && *character == end;
        depth += i32::from("([{".contains(*character)) - i32::from(")]}".contains(*character));
        found
    };
    let (at, _) = text.char_indices().find(is_end).expect("brackets and statements end");
    (&text[..at], &text[at + end.len_utf8()..])
}

/// Where the text behind an element assigns to it: the component, the value and what follows.
fn assigned(behind: &str) -> Option<(&str, &str, &str)> {
    let mut value = behind;
    while let Some(component) = value.strip_prefix('[') {
        value = split_at_end(component, ']').1;
    }
    if let Some(component) = value.strip_prefix('.') {
        value = component.trim_start_matches(|letter: char| letter.is_alphanumeric());
    }
    let component = &behind[..behind.len() - value.len()];
    let value = value.trim_start().strip_prefix('=').filter(|value| !value.starts_with('='))?;
    let (value, after) = split_at_end(value, ';');
    Some((component, value.trim_start(), after))
}

/// The arrays that a kernel reads (binding 0) and writes (binding 1), with their names and the bytes of an element.
fn arrays(module: &Module) -> Vec<(u32, String, u32)> {
    let variables = module.global_variables.iter().filter_map(|(_, variable)| {
        let binding = variable.binding.as_ref()?.binding;
        let TypeInner::Array { stride, .. } = module.types[variable.ty].inner else { return None };
        (binding < 2).then(|| (binding, variable.name.clone().unwrap_or_default(), stride))
    });
    variables.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::language::checked;
    use crate::gpu::lower::lower;
    use crate::gpu::{KernelChoice, Limits, fastest};
    use crate::plan::Ring;
    use crate::transforms::{Parameters, Shape, TRANSFORMS};
    use naga::valid::Capabilities;
    use std::collections::HashSet;

    const KERNEL: &str = "// reads input[i]
@group(0) @binding(0) var<storage, read> input: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
@compute @workgroup_size(1)
fn f(@builtin(global_invocation_id) i: vec3u) {
    let my_input = array<u32, 1>(0u);
    if output[my_input[0]] == 1.0 { output[i.x] = input[u32(input[i.x].x)][i.y & 3u]; }
}
";

    fn divided(as_bindings: bool) -> String {
        Division { parts: [3, 2], part_bytes: 64, as_bindings }.divide(KERNEL)
    }

    #[test]
    fn elements_are_in_the_part_of_their_high_bits() {
        let text = divided(true);
        assert!(
            text.contains("output[(i.x) >> 4u].values[(i.x) & 15u] = input[(u32(input[(i.x) >> 2u].values[(i.x) & 3u].x)) >> 2u]"),
            "{text}"
        );
        assert!(text.contains("let my_input = array<u32, 1>(0u);") && text.contains("if output[(my_input[0]) >> 4u]"), "{text}");
        let text = divided(false);
        wgsl::parse_str(&text).unwrap_or_else(|error| panic!("{}", error.emit_to_string(&text)));
        assert!(text.contains("output_at(my_input[0]) == 1.0") && text.contains("= input_at(u32(input_at(i.x).x))[i.y & 3u]"), "{text}");
        assert!(text.contains("default: { output_1[element_at & 15u] = new_element; }"), "{text}");
    }

    #[test]
    fn the_kernels_of_every_transform_stay_valid() {
        let binding_arrays = Capabilities::STORAGE_BUFFER_BINDING_ARRAY | Capabilities::STORAGE_BUFFER_BINDING_ARRAY_NON_UNIFORM_INDEXING;
        let mut families = HashSet::new();
        for (transform, shape) in
            TRANSFORMS.iter().flat_map(|all| [Shape::line(1 << 13), Shape { rows: 96, columns: 64 }].map(|shape| (all, shape)))
        {
            let plan = transform.first_plan_for(shape, Parameters::default()).plan_fn().map(|build| build(shape, Parameters::default()));
            let Some(Ok(plan)) = plan else { continue };
            let plan = if plan.ring.is_exact_without_modulus() { plan.over(Ring::Real) } else { plan };
            let lowered = lower(&plan, &fastest(&plan, Limits::DESKTOP), Limits::DESKTOP, KernelChoice::Fast).unwrap();
            for kernel in lowered.commands.iter().map(|command| &command.kernel) {
                families.insert(kernel.family);
                for as_bindings in [false, true] {
                    let text = Division { parts: [5, 6], part_bytes: 1 << 12, as_bindings }.divide(&kernel.text_with(true));
                    checked(&text, binding_arrays).unwrap_or_else(|error| panic!("{error}"));
                }
            }
        }
        assert!(families.len() > 6, "only kernels of {families:?}");
    }

    #[test]
    fn parts_have_bindings_behind_those_of_all_kernels() {
        let division = Division { parts: [3, 2], part_bytes: 64, as_bindings: false };
        assert_eq!([0, 1, 2].map(|part| division.binding(0, part)), [0, 6, 7]);
        assert_eq!([0, 1].map(|part| division.binding(1, part)), [1, 8]);
    }
}
