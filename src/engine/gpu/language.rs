//! The languages in which a kernel can be read: WGSL, and what naga translates it to, as it does for the drivers of other systems.

mod spirv;

use super::kernel::Kernel;
use naga::back::{glsl, hlsl, msl, spv};
use naga::front::wgsl;
use naga::proc::BoundsCheckPolicies;
use naga::valid::{Capabilities, ModuleInfo, ShaderStages, SubgroupOperationSet, ValidationFlags, Validator};
use naga::{Module, ResourceBinding, ShaderStage};

/// The version of GLSL: the first with compute shaders, doubles and storage buffers.
const GLSL: u16 = 430;
/// The version of MSL: the first with all operations of subgroups.
const MSL: (u8, u8) = (2, 4);
/// The version of SPIR-V: the first with operations of subgroups.
const SPIRV: (u8, u8) = (1, 3);
/// The slot in which Metal passes the lengths of the buffers, behind those of kernels.
const LENGTHS: u8 = 15;

crate::choice! {
    /// The language of the text of a kernel.
    pub enum KernelLanguage {
        /// As WebGPU takes it, and as the program writes it.
        #[default]
        Wgsl = "WGSL", "wgsl";
        /// Of OpenGL.
        Glsl = "GLSL", "glsl";
        /// Of Direct3D.
        Hlsl = "HLSL", "hlsl";
        /// Of Metal.
        Msl = "MSL", "msl";
        /// Of Vulkan: words of 32 bits, which a listing shows instruction by instruction.
        Spirv = "SPIR-V", "spirv";
    }
}

/// The module of a text, if it is valid with the capabilities that kernels may use and `more`.
pub(super) fn checked(source: &str, more: Capabilities) -> Result<(Module, ModuleInfo), String> {
    let module = wgsl::parse_str(source).map_err(|error| error.emit_to_string(source))?;
    let capabilities = more | Capabilities::SHADER_INT64 | Capabilities::FLOAT64 | Capabilities::SUBGROUP;
    let mut validator = Validator::new(ValidationFlags::all(), capabilities);
    validator.subgroup_stages(ShaderStages::COMPUTE).subgroup_operations(SubgroupOperationSet::all());
    let info = validator.validate(&module).map_err(|error| error.emit_to_string(source))?;
    Ok((module, info))
}

impl KernelLanguage {
    /// The ending of a file with the text.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Msl => "metal",
            Self::Spirv => "txt",
            Self::Wgsl | Self::Glsl | Self::Hlsl => self.name(),
        }
    }
}

impl Kernel {
    /// The kernel in a language, complete; SPIR-V as a listing of its instructions.
    ///
    /// # Errors
    /// The types that the language lacks: GLSL has no integers of 64 bits, and MSL no doubles.
    pub fn text_in(&self, language: KernelLanguage) -> Result<String, String> {
        let lacks = |error: String| format!("it has no form in {}: {error}", language.title());
        match language {
            KernelLanguage::Wgsl => Ok(self.text()),
            KernelLanguage::Glsl => self.glsl(&self.checked()?).map_err(|error| lacks(error.to_string())),
            KernelLanguage::Hlsl => self.hlsl(&self.checked()?).map_err(|error| lacks(error.to_string())),
            KernelLanguage::Msl => self.msl(&self.checked()?).map_err(|error| lacks(error.to_string())),
            KernelLanguage::Spirv => self.spirv().map(|words| spirv::listing(&words)),
        }
    }

    /// The kernel in SPIR-V, as Vulkan drivers get it.
    ///
    /// # Errors
    /// The types that it lacks.
    pub fn spirv(&self) -> Result<Vec<u32>, String> {
        let options = spv::Options {
            lang_version: SPIRV,
            flags: spv::WriterFlags::DEBUG,
            zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
            force_loop_bounding: false,
            emit_int_div_checks: false,
            ..spv::Options::default()
        };
        let pipeline = spv::PipelineOptions { shader_stage: ShaderStage::Compute, entry_point: self.entry_point.into() };
        let (module, info) = self.checked()?;
        spv::write_vec(&module, &info, &options, Some(&pipeline)).map_err(|error| format!("it has no form in SPIR-V: {error}"))
    }

    /// The kernel as naga reads it, which has found it valid.
    fn checked(&self) -> Result<(Module, ModuleInfo), String> {
        checked(&self.text(), Capabilities::default())
    }

    fn glsl(&self, (module, info): &(Module, ModuleInfo)) -> Result<String, glsl::Error> {
        let options = glsl::Options {
            version: glsl::Version::Desktop(GLSL),
            writer_flags: glsl::WriterFlags::empty(),
            binding_map: bindings(module).map(|bound| (bound, bound.binding as u8)).collect(),
            zero_initialize_workgroup_memory: false,
        };
        let pipeline = glsl::PipelineOptions { shader_stage: ShaderStage::Compute, entry_point: self.entry_point.into(), multiview: None };
        let mut text = String::new();
        glsl::Writer::new(&mut text, module, info, &options, &pipeline, BoundsCheckPolicies::default())?.write()?;
        Ok(text)
    }

    fn hlsl(&self, (module, info): &(Module, ModuleInfo)) -> Result<String, hlsl::Error> {
        let target = |bound: ResourceBinding| hlsl::BindTarget { register: bound.binding, ..hlsl::BindTarget::default() };
        let options = hlsl::Options {
            shader_model: hlsl::ShaderModel::V6_2,
            binding_map: bindings(module).map(|bound| (bound, target(bound))).collect(),
            // The number of workgroups is not a builtin there.
            special_constants_binding: Some(hlsl::BindTarget { space: 1, ..hlsl::BindTarget::default() }),
            zero_initialize_workgroup_memory: false,
            restrict_indexing: false,
            force_loop_bounding: false,
            ..hlsl::Options::default()
        };
        let pipeline = hlsl::PipelineOptions { entry_point: Some((ShaderStage::Compute, self.entry_point.into())) };
        let mut text = String::new();
        hlsl::Writer::new(&mut text, &options, &pipeline).write(module, info, None)?;
        Ok(text)
    }

    fn msl(&self, (module, info): &(Module, ModuleInfo)) -> Result<String, msl::Error> {
        let target = |bound: ResourceBinding| msl::BindTarget {
            buffer: Some(bound.binding as u8),
            mutable: bound.binding == 1,
            ..msl::BindTarget::default()
        };
        let resources = msl::EntryPointResources {
            resources: bindings(module).map(|bound| (bound, target(bound))).collect(),
            sizes_buffer: Some(LENGTHS),
            ..msl::EntryPointResources::default()
        };
        let options = msl::Options {
            lang_version: MSL,
            per_entry_point_map: [(self.entry_point.to_owned(), resources)].into(),
            zero_initialize_workgroup_memory: false,
            force_loop_bounding: false,
            emit_int_div_checks: false,
            ..msl::Options::default()
        };
        let entry_point = Some((ShaderStage::Compute, self.entry_point.to_owned()));
        let pipeline = msl::PipelineOptions { entry_point, ..msl::PipelineOptions::default() };
        msl::write_string(module, info, &options, &pipeline).map(|(text, _)| text)
    }
}

/// Where the buffers of a kernel are bound.
fn bindings(module: &Module) -> impl Iterator<Item = ResourceBinding> + '_ {
    module.global_variables.iter().filter_map(|(_, variable)| variable.binding)
}

#[cfg(test)]
mod tests {
    use super::super::{KernelChoice, LaunchCommand, Limits};
    use super::*;
    use crate::choice::Named as _;
    use crate::engine::{Cut, plan_kernels};
    use crate::plan::{IntegerWidth, Ring};
    use crate::transforms::{Parameters, Shape, transform};

    /// The launches of a plan.
    fn commands(name: &str, algorithm: &str, n: usize, ring: Option<Ring>, kernels: KernelChoice) -> Vec<LaunchCommand> {
        let build = transform(name).and_then(|transform| transform.algorithm(algorithm)).expect("it is there").plan_fn();
        let parameters = Parameters { tile_lanes: Some(4), ..Parameters::default() };
        let plan = build.expect("it has a plan")(Shape::line(n), parameters).expect("it takes the size");
        let plan = if let Some(ring) = ring { plan.over(ring) } else { plan };
        plan_kernels(&plan, Cut::Tiles, Limits::DESKTOP, kernels).expect("it is lowered").commands
    }

    #[test]
    fn the_global_kernel_of_the_thesis_has_the_words_of_every_technology() {
        let commands = commands("dft", "global-local", 16, None, KernelChoice::Fast);
        assert_eq!(commands.len(), 3);
        for (language, words) in [
            (KernelLanguage::Wgsl, &["@compute @workgroup_size(", "var<storage, read_write>"][..]),
            (KernelLanguage::Glsl, &["#version 430 core", "layout(local_size_x = ", "binding = 1) buffer", "gl_", "void main() {"]),
            (KernelLanguage::Hlsl, &["[numthreads(", "RWByteAddressBuffer output : register(u1);", "SV_"]),
            (KernelLanguage::Msl, &["#include <metal_stdlib>", "kernel void ", "[[buffer(1)]]"]),
            (KernelLanguage::Spirv, &["Capability Shader", "EntryPoint GLCompute", "FunctionEnd"]),
        ] {
            for command in &commands {
                let text = command.kernel.text_in(language).expect("the language has all that it needs");
                words.iter().for_each(|word| assert!(text.contains(word), "{word} is missing in\n{text}"));
            }
        }
    }

    /// Every family of kernels, kernels made for stages, and integers of both widths.
    #[test]
    fn every_kernel_is_written_in_every_language_that_has_its_numbers() {
        let wide = Some(Ring::Integer(IntegerWidth::Bits64));
        for (name, algorithm, n, ring) in [
            ("dft", "stockham", 1 << 14, None),
            ("dft", "bluestein", 37, None),
            ("dft", "direct", 64, None),
            ("walsh", "cooley-tukey", 1 << 12, Some(Ring::Real)),
            ("walsh", "constant-geometry", 64, wide),
            ("dyadic-convolution", "direct", 64, wide),
            ("reed-muller", "cooley-tukey", 1 << 12, None),
            ("haar", "constant-geometry", 1 << 12, Some(Ring::Real)),
            ("cdf97", "direct", 1 << 12, None),
            ("cdf97", "filter-bank", 1 << 12, None),
            ("dct", "stockham", 100, None),
        ] {
            for kernels in [KernelChoice::Fast, KernelChoice::Generic] {
                for command in commands(name, algorithm, n, ring, kernels) {
                    for &language in KernelLanguage::ALL {
                        let text = command.kernel.text_in(language);
                        let lacks = language == KernelLanguage::Glsl && ring == wide;
                        assert!(text.is_ok() || lacks, "{name} {algorithm} in {language}: {}", text.unwrap_err());
                    }
                }
            }
        }
    }
}
