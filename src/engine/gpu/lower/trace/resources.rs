//! The registers and the memory of a workgroup of a kernel, as far as its text says it.

use super::ReadKernel;
use wgpu::naga::valid::{Capabilities, ValidationFlags, Validator};
use wgpu::naga::{AddressSpace, Handle, Module, Type, TypeInner};

/// Bytes of a register.
const REGISTER: usize = 4;

/// The registers and the memory of a workgroup of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelResources {
    /// Threads of a workgroup.
    pub threads: usize,
    /// Bytes of workgroup memory.
    pub workgroup_bytes: usize,
    /// Numbers of 32 bits in the variables and the named values of a thread. The compiler of a driver needs fewer registers if they are not alive at the same time, and more for values without a name.
    pub named_numbers: usize,
}

impl KernelResources {
    /// Why the registers that the driver's compiler takes are missing.
    pub const WHY_NO_REGISTERS: &'static str = "The driver's compiler decides how many registers hold them. \
        This program cannot read its number: wgpu passes no statistics of compiled kernels on. \
        The profiler of the maker of your GPU shows it.";
}

impl ReadKernel<'_> {
    /// The registers and the memory of a workgroup; `None` where the text does not say it.
    pub fn resources(&self) -> Option<KernelResources> {
        let module = &self.module;
        let in_workgroup = module.global_variables.iter().filter(|(_, variable)| variable.space == AddressSpace::WorkGroup);
        let workgroup_bytes = in_workgroup.map(|(_, variable)| bytes(module, variable.ty)).sum();
        let info = Validator::new(ValidationFlags::empty(), Capabilities::all()).validate(module).ok()?;
        let (function, known) = (&module.entry_points[self.entry].function, info.get_entry_point(self.entry));
        let variables = function.local_variables.iter().map(|(_, variable)| bytes(module, variable.ty));
        let values = function.named_expressions.keys().map(|value| match known[*value].ty.inner_with(&module.types) {
            // A name of a buffer or of a variable takes no register of its own.
            TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. } => 0,
            inner => inner.size(module.to_ctx()) as usize,
        });
        let named_numbers = variables.chain(values).map(|bytes| bytes.div_ceil(REGISTER)).sum();
        Some(KernelResources { threads: self.threads(), workgroup_bytes, named_numbers })
    }
}

fn bytes(module: &Module, of: Handle<Type>) -> usize {
    module.types[of].inner.size(module.to_ctx()) as usize
}
