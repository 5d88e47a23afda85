//! A kernel in GLSL, the language in which OpenGL drivers take it.

use super::kernel::Kernel;
use naga::back::glsl::{BindingMap, Options, PipelineOptions, Version, Writer, WriterFlags};
use naga::front::wgsl;
use naga::proc::BoundsCheckPolicies;
use naga::valid::{Capabilities, ShaderStages, SubgroupOperationSet, ValidationFlags, Validator};
use naga::{ResourceBinding, ShaderStage};

/// The version that is written: the first with compute shaders, doubles and storage buffers.
const VERSION: u16 = 430;

impl Kernel {
    /// The kernel in GLSL, complete, translated as the OpenGL backend does before a driver gets it.
    ///
    /// # Errors
    /// What the language lacks, such as integers of 64 bits.
    pub fn glsl(&self) -> Result<String, String> {
        let source = self.text();
        let module = wgsl::parse_str(&source).map_err(|error| error.emit_to_string(&source))?;
        let capabilities = Capabilities::default() | Capabilities::SHADER_INT64 | Capabilities::FLOAT64 | Capabilities::SUBGROUP;
        let mut validator = Validator::new(ValidationFlags::all(), capabilities);
        validator.subgroup_stages(ShaderStages::COMPUTE).subgroup_operations(SubgroupOperationSet::all());
        let info = validator.validate(&module).map_err(|error| error.emit_to_string(&source))?;
        let bindings = module.global_variables.iter().filter_map(|(_, variable)| variable.binding);
        let binding_map: BindingMap = bindings.map(|bound: ResourceBinding| (bound, bound.binding as u8)).collect();
        let options = Options {
            version: Version::Desktop(VERSION),
            writer_flags: WriterFlags::empty(),
            binding_map,
            zero_initialize_workgroup_memory: false,
        };
        let pipeline = PipelineOptions { shader_stage: ShaderStage::Compute, entry_point: self.entry_point.into(), multiview: None };
        let mut text = String::new();
        let writer = Writer::new(&mut text, &module, &info, &options, &pipeline, BoundsCheckPolicies::default());
        writer.and_then(|mut writer| writer.write()).map_err(|error| format!("it has no form in GLSL: {error}"))?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{KernelChoice, Limits};
    use crate::engine::{Cut, plan_kernels};
    use crate::transforms::{Parameters, Shape, transform};

    #[test]
    fn the_global_kernel_of_the_thesis_has_the_words_of_its_figure_4_4() {
        let algorithm = transform("dft").and_then(|dft| dft.algorithm("global-local")).expect("it is there");
        let build = algorithm.plan_fn().expect("it has a plan");
        let plan = build(Shape::line(16), Parameters { tile_lanes: Some(4), ..Parameters::default() }).expect("it takes 16 points");
        let kernels = plan_kernels(&plan, Cut::Tiles, Limits::DESKTOP, KernelChoice::Fast).expect("it is lowered");
        assert_eq!(kernels.commands.len(), 3);
        for command in &kernels.commands {
            let text = command.kernel.glsl().expect("GLSL has all that it needs");
            for words in ["#version 430 core", "layout(local_size_x = ", "binding = 1) buffer", "gl_", "void main() {"] {
                assert!(text.contains(words), "{words} is missing in\n{text}");
            }
        }
    }
}
