//! The value of a variable of a followed kernel.

use super::TraceError;
use crate::graph::access::AccessedMemory;
use wgpu::naga::{ArraySize, Handle, Scalar, ScalarKind, Type, TypeInner, UniqueArena, VectorSize};

/// A value: integers and truths are known, floating-point numbers and what buffers hold are not.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Unknown,
    /// A number or a truth, and its type.
    Int(i64, Scalar),
    /// The parts of a vector, an array or a structure.
    List(Vec<Value>),
    Pointer(Pointer),
}

/// Where a pointer points to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Pointer {
    /// A part of a variable of a function: the call, the variable, and the indices that lead to the part.
    Local { frame: usize, variable: usize, indices: Vec<usize> },
    /// Bytes of a buffer or of workgroup memory.
    Shared { memory: Option<AccessedMemory>, name: String, byte: u64, ty: Pointee },
    /// A word of the uniforms.
    Uniform { byte: u64, ty: Pointee },
}

/// The type of what a pointer points to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Pointee {
    Type(Handle<Type>),
    Scalar(Scalar),
}

impl Value {
    /// An unsigned number.
    pub(super) fn uint(value: u64) -> Self {
        Self::Int(value as i64, Scalar::U32)
    }

    pub(super) fn truth(value: bool) -> Self {
        Self::Int(value.into(), Scalar::BOOL)
    }

    /// A known number.
    pub(super) fn int(&self) -> Result<i64, TraceError> {
        match self {
            Self::Int(value, _) => Ok(*value),
            _ => Err(TraceError::Unsupported("an address depends on data")),
        }
    }

    /// The same number of parts with this value in each.
    pub(super) fn splat(self, size: VectorSize) -> Self {
        Self::List(vec![self; size as usize])
    }

    /// Part `index`; parts of the unknown are unknown.
    pub(super) fn part(&self, index: usize) -> Self {
        match self {
            Self::List(parts) => parts.get(index).cloned().unwrap_or(Self::Unknown),
            _ => Self::Unknown,
        }
    }

    /// The part at the end of these indices.
    pub(super) fn part_mut(&mut self, indices: &[usize]) -> Option<&mut Self> {
        match (indices, self) {
            ([], value) => Some(value),
            ([first, rest @ ..], Self::List(parts)) => parts.get_mut(*first)?.part_mut(rest),
            _ => None,
        }
    }
}

/// The value that a variable has before anything is stored.
pub(super) fn zero(types: &UniqueArena<Type>, ty: Handle<Type>) -> Value {
    let scalar = |scalar: Scalar| match scalar.kind {
        ScalarKind::Sint | ScalarKind::Uint | ScalarKind::Bool => Value::Int(0, scalar),
        _ => Value::Unknown,
    };
    match &types[ty].inner {
        TypeInner::Scalar(of) => scalar(*of),
        TypeInner::Vector { size, scalar: of } => scalar(*of).splat(*size),
        TypeInner::Array { base, size: ArraySize::Constant(n), .. } => Value::List(vec![zero(types, *base); n.get() as usize]),
        TypeInner::Struct { members, .. } => Value::List(members.iter().map(|member| zero(types, member.ty)).collect()),
        _ => Value::Unknown,
    }
}
