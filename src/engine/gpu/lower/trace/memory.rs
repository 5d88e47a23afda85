//! The memory of a followed kernel: pointers, loads and stores.

use super::arithmetic::cast;
use super::machine::Machine;
use super::value::{Pointee, Pointer, Value};
use super::{Met, TraceError};
use crate::graph::access::{AccessedMemory, Span};
use wgpu::naga::{AddressSpace, ArraySize, GlobalVariable, Handle, Scalar, Span as TextSpan, StructMember, TypeInner};

impl Machine<'_> {
    pub(super) fn global(&self, handle: Handle<GlobalVariable>) -> Result<Value, TraceError> {
        let variable = &self.module.global_variables[handle];
        let (name, ty) = (variable.name.clone().unwrap_or_default(), Pointee::Type(variable.ty));
        let memory = match (variable.space, &variable.binding) {
            (AddressSpace::Uniform, _) => return Ok(Value::Pointer(Pointer::Uniform { byte: 0, ty })),
            (AddressSpace::WorkGroup, _) => Some(AccessedMemory::Workgroup),
            (AddressSpace::Storage { .. }, Some(binding)) if binding.binding < 2 => Some(AccessedMemory::Lanes),
            (AddressSpace::Storage { .. }, _) => None,
            _ => return Err(TraceError::Unsupported("it has memory of an unknown kind")),
        };
        Ok(Value::Pointer(Pointer::Shared { memory, name, byte: 0, ty }))
    }

    /// The pointer to part `index` of what a pointer points to.
    pub(super) fn element(&self, base: Value, index: usize) -> Result<Value, TraceError> {
        let Value::Pointer(pointer) = base else { return Err(TraceError::Unsupported("a pointer is unknown")) };
        let moved = |byte: u64, ty: Pointee| -> Result<(u64, Pointee), TraceError> {
            let Pointee::Type(ty) = ty else { return Err(TraceError::Unsupported("a number has no parts")) };
            let (offset, ty) = match &self.module.types[ty].inner {
                TypeInner::Array { base, stride, .. } => (index as u64 * u64::from(*stride), Pointee::Type(*base)),
                TypeInner::Vector { scalar, .. } => (index as u64 * u64::from(scalar.width), Pointee::Scalar(*scalar)),
                TypeInner::Struct { members, .. } => (members[index].offset.into(), Pointee::Type(members[index].ty)),
                _ => return Err(TraceError::Unsupported("memory has parts of an unknown kind")),
            };
            Ok((byte + offset, ty))
        };
        Ok(Value::Pointer(match pointer {
            Pointer::Local { frame, variable, mut indices } => {
                indices.push(index);
                Pointer::Local { frame, variable, indices }
            }
            Pointer::Shared { memory, name, byte, ty } => {
                let (byte, ty) = moved(byte, ty)?;
                Pointer::Shared { memory, name, byte, ty }
            }
            Pointer::Uniform { byte, ty } => {
                let (byte, ty) = moved(byte, ty)?;
                Pointer::Uniform { byte, ty }
            }
        }))
    }

    pub(super) fn load(&mut self, pointer: Value, span: TextSpan) -> Result<Value, TraceError> {
        let Value::Pointer(pointer) = pointer else { return Err(TraceError::Unsupported("a pointer is unknown")) };
        Ok(match pointer {
            Pointer::Local { frame, variable, indices } => {
                self.frames[frame][variable].part_mut(&indices).map_or(Value::Unknown, |value| value.clone())
            }
            Pointer::Uniform { byte, ty } => self.uniform(byte, ty),
            Pointer::Shared { memory, name, byte, ty } => {
                self.meet(memory, name, [byte, self.size(ty)], false, span);
                Value::Unknown
            }
        })
    }

    /// The values of the uniforms.
    fn uniform(&self, byte: u64, ty: Pointee) -> Value {
        let number = |byte: u64, scalar: Scalar| {
            let word = self.uniforms.get(byte as usize / 4).copied().unwrap_or_default();
            cast(&Value::uint(word.into()), scalar.kind, Some(scalar.width))
        };
        let ty = match ty {
            Pointee::Scalar(scalar) => return number(byte, scalar),
            Pointee::Type(ty) => ty,
        };
        match &self.module.types[ty].inner {
            TypeInner::Scalar(scalar) => number(byte, *scalar),
            TypeInner::Vector { size, scalar } => {
                let part = |part: u64| number(byte + part * u64::from(scalar.width), *scalar);
                Value::List((0..*size as u64).map(part).collect())
            }
            TypeInner::Struct { members, .. } => {
                let member = |member: &StructMember| self.uniform(byte + u64::from(member.offset), Pointee::Type(member.ty));
                Value::List(members.iter().map(member).collect())
            }
            TypeInner::Array { base, size: ArraySize::Constant(n), stride } => {
                Value::List((0..n.get()).map(|index| self.uniform(byte + u64::from(index * stride), Pointee::Type(*base))).collect())
            }
            _ => Value::Unknown,
        }
    }

    pub(super) fn store(&mut self, pointer: Value, value: Value, span: TextSpan) -> Result<(), TraceError> {
        let Value::Pointer(pointer) = pointer else { return Err(TraceError::Unsupported("a pointer is unknown")) };
        match pointer {
            Pointer::Local { frame, variable, indices } => {
                if let Some(place) = self.frames[frame][variable].part_mut(&indices) {
                    *place = value;
                }
            }
            Pointer::Shared { memory, name, byte, ty } => self.meet(memory, name, [byte, self.size(ty)], true, span),
            Pointer::Uniform { .. } => return Err(TraceError::Unsupported("it stores into its uniforms")),
        }
        Ok(())
    }

    /// Records an access; tables are left out.
    fn meet(&mut self, memory: Option<AccessedMemory>, name: String, [first, bytes]: [u64; 2], is_write: bool, span: TextSpan) {
        if let Some(memory) = memory {
            let (path, phase, place) = (self.path.clone(), self.phase, span);
            self.met.push(Met { path, memory, name, is_write, phase, place, span: Span { first, bytes } });
        }
    }

    fn size(&self, ty: Pointee) -> u64 {
        match ty {
            Pointee::Scalar(scalar) => scalar.width.into(),
            Pointee::Type(ty) => self.module.types[ty].inner.size(self.module.to_ctx()).into(),
        }
    }
}
