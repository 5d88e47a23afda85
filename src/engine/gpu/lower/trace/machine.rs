//! One thread of a kernel, followed statement by statement.

use super::arithmetic::{binary, cast, math, unary};
use super::value::{Pointer, Value, zero};
use super::{Met, TraceError};
use wgpu::naga::{
    Binding, Block, BuiltIn, EntryPoint, Expression, Function, FunctionArgument, Handle, Literal, Module, Scalar, ScalarKind,
    Span as TextSpan, Statement, SwitchValue, TypeInner,
};

/// Statements that a thread runs at most.
const MOST_STEPS: usize = 1 << 20;
/// Loads and stores of a thread at most: a direct sum of a long line has more.
const MOST_ACCESSES: usize = 1 << 12;

/// The numbers of a thread.
#[derive(Debug, Clone, Copy)]
pub(super) struct Invocation {
    pub(super) thread: usize,
    pub(super) threads: usize,
    pub(super) group: usize,
    pub(super) groups: [u32; 2],
    pub(super) subgroup: usize,
}

impl Invocation {
    fn builtin(self, builtin: BuiltIn) -> Result<Value, TraceError> {
        let Self { thread, threads, group, groups, subgroup } = self;
        let vector = |[x, y]: [usize; 2]| Value::List([x, y, 0].map(|part| Value::uint(part as u64)).into());
        let across = groups[0].max(1) as usize;
        let number = |value: usize| Ok(Value::uint(value as u64));
        match builtin {
            BuiltIn::GlobalInvocationId => Ok(vector([group % across * threads + thread, group / across])),
            BuiltIn::LocalInvocationId => Ok(vector([thread, 0])),
            BuiltIn::WorkGroupId => Ok(vector([group % across, group / across])),
            BuiltIn::NumWorkGroups => Ok(Value::List([across as u64, groups[1].into(), 1].map(Value::uint).into())),
            BuiltIn::LocalInvocationIndex => number(thread),
            BuiltIn::SubgroupId => number(thread / subgroup),
            BuiltIn::SubgroupInvocationId => number(thread % subgroup),
            BuiltIn::SubgroupSize => number(subgroup),
            BuiltIn::NumSubgroups => number(threads.div_ceil(subgroup)),
            _ => Err(TraceError::Unsupported("it asks for a number that no thread has here")),
        }
    }
}

/// The next action of a block.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Option<Value>),
}

/// A call of a function.
struct Call<'a> {
    function: &'a Function,
    arguments: Vec<Value>,
    /// The values of expressions, by index.
    values: Vec<Option<Value>>,
    frame: usize,
}

/// Gives the value of a part of an expression.
type Evaluate<'f, 'a> = dyn FnMut(&mut Machine<'a>, Handle<Expression>) -> Result<Value, TraceError> + 'f;

/// A thread.
pub(super) struct Machine<'a> {
    pub(super) module: &'a Module,
    pub(super) uniforms: &'a [u32; 24],
    /// The variables of every call.
    pub(super) frames: Vec<Vec<Value>>,
    pub(super) path: Vec<u32>,
    steps: usize,
    /// Barriers passed.
    pub(super) phase: usize,
    pub(super) met: Vec<Met>,
    /// The integers that the entry point names or stores in its variables, and where.
    pub(super) indices: Vec<(TextSpan, i64)>,
}

impl<'a> Machine<'a> {
    pub(super) fn new(module: &'a Module, uniforms: &'a [u32; 24]) -> Self {
        Self { module, uniforms, frames: Vec::new(), path: Vec::new(), steps: 0, phase: 0, met: Vec::new(), indices: Vec::new() }
    }

    /// Runs a thread from the entry point to its end.
    pub(super) fn run(&mut self, entry: &'a EntryPoint, invocation: Invocation) -> Result<(), TraceError> {
        let argument = |argument: &FunctionArgument| match argument.binding {
            Some(Binding::BuiltIn(builtin)) => invocation.builtin(builtin),
            _ => Err(TraceError::Unsupported("it has an unknown argument")),
        };
        let arguments = entry.function.arguments.iter().map(argument).collect::<Result<_, _>>()?;
        self.call(&entry.function, arguments).map(drop)
    }

    fn call(&mut self, function: &'a Function, arguments: Vec<Value>) -> Result<Value, TraceError> {
        let frame = self.frames.len();
        self.frames.push(function.local_variables.iter().map(|(_, variable)| zero(&self.module.types, variable.ty)).collect());
        let mut call = Call { function, arguments, values: vec![None; function.expressions.len()], frame };
        for (handle, variable) in function.local_variables.iter() {
            if let Some(init) = variable.init {
                self.frames[frame][handle.index()] = self.value(&mut call, init)?;
            }
        }
        let flow = self.block(&mut call, &function.body)?;
        self.frames.pop();
        Ok(if let Flow::Return(Some(value)) = flow { value } else { Value::Unknown })
    }

    fn block(&mut self, call: &mut Call<'a>, block: &'a Block) -> Result<Flow, TraceError> {
        for (index, (statement, span)) in block.span_iter().enumerate() {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return Err(TraceError::Unsupported("it takes too many steps"));
            }
            if self.met.len() > MOST_ACCESSES {
                return Err(TraceError::Unsupported("a thread makes too many loads"));
            }
            self.path.push(index as u32);
            let flow = self.statement(call, statement, *span)?;
            self.path.pop();
            if !matches!(flow, Flow::Next) {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    /// A block whose accesses are told from those of other blocks of its statement.
    fn branch(&mut self, call: &mut Call<'a>, block: &'a Block, number: u32) -> Result<Flow, TraceError> {
        self.path.push(number);
        let flow = self.block(call, block)?;
        self.path.pop();
        Ok(flow)
    }

    fn statement(&mut self, call: &mut Call<'a>, statement: &'a Statement, span: TextSpan) -> Result<Flow, TraceError> {
        match statement {
            Statement::Emit(range) => {
                for handle in range.clone() {
                    let value = self.expression(call, handle)?;
                    if call.function.named_expressions.contains_key(&handle) {
                        self.note_index(call.frame, &value, call.function.expressions.get_span(handle));
                    }
                    call.values[handle.index()] = Some(value);
                }
            }
            Statement::Block(block) => return self.block(call, block),
            Statement::If { condition, accept, reject } => {
                let holds = self.value(call, *condition)?.int()? != 0;
                return if holds { self.branch(call, accept, 0) } else { self.branch(call, reject, 1) };
            }
            Statement::Switch { selector, cases } => {
                let wanted = self.value(call, *selector)?.int()?;
                let is_case = |value: SwitchValue| match value {
                    SwitchValue::I32(value) => i64::from(value) == wanted,
                    SwitchValue::U32(value) => i64::from(value) == wanted,
                    SwitchValue::Default => false,
                };
                let found = cases.iter().position(|case| is_case(case.value));
                let first = found.or_else(|| cases.iter().position(|case| case.value == SwitchValue::Default)).unwrap_or(cases.len());
                for (number, case) in cases.iter().enumerate().skip(first) {
                    match self.branch(call, &case.body, number as u32)? {
                        Flow::Next if case.fall_through => {}
                        Flow::Next | Flow::Break => break,
                        other => return Ok(other),
                    }
                }
            }
            Statement::Loop { body, continuing, break_if } => return self.turns(call, body, continuing, *break_if),
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
            Statement::Return { value } => {
                return Ok(Flow::Return(value.map(|value| self.value(call, value)).transpose()?));
            }
            Statement::ControlBarrier(_) => self.phase += 1,
            Statement::MemoryBarrier(_) => {}
            Statement::Store { pointer, value } => {
                let value = self.value(call, *value)?;
                let pointer = self.value(call, *pointer)?;
                self.note_index(call.frame, &value, span);
                self.store(pointer, value, span)?;
            }
            Statement::Call { function, arguments, result } => {
                let arguments = arguments.iter().map(|&argument| self.value(call, argument)).collect::<Result<_, _>>()?;
                let value = self.call(&self.module.functions[*function], arguments)?;
                if let Some(result) = result {
                    call.values[result.index()] = Some(value);
                }
            }
            // The results of other calls are data.
            Statement::SubgroupGather { result, .. }
            | Statement::SubgroupCollectiveOperation { result, .. }
            | Statement::SubgroupBallot { result, .. } => call.values[result.index()] = Some(Value::Unknown),
            _ => return Err(TraceError::Unsupported("it has a statement beyond loads, stores and sums")),
        }
        Ok(Flow::Next)
    }

    /// Records an integer of the entry point.
    fn note_index(&mut self, frame: usize, value: &Value, span: TextSpan) {
        if let (0, Value::Int(index, Scalar { kind: ScalarKind::Sint | ScalarKind::Uint, .. })) = (frame, value) {
            self.indices.push((span, *index));
        }
    }

    /// A loop.
    fn turns(
        &mut self,
        call: &mut Call<'a>,
        body: &'a Block,
        continuing: &'a Block,
        break_if: Option<Handle<Expression>>,
    ) -> Result<Flow, TraceError> {
        for turn in 0.. {
            self.path.push(turn);
            let flow = match self.branch(call, body, 0)? {
                Flow::Next | Flow::Continue => {
                    self.branch(call, continuing, 1)?;
                    let ends = break_if.map(|condition| self.value(call, condition)?.int()).transpose()?;
                    if ends.is_some_and(|ends| ends != 0) { Some(Flow::Next) } else { None }
                }
                Flow::Break => Some(Flow::Next),
                Flow::Return(value) => Some(Flow::Return(value)),
            };
            self.path.pop();
            if let Some(flow) = flow {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    /// The value of an expression, as it was when it was evaluated.
    fn value(&mut self, call: &mut Call<'a>, handle: Handle<Expression>) -> Result<Value, TraceError> {
        match &call.values[handle.index()] {
            Some(value) => Ok(value.clone()),
            None => self.expression(call, handle),
        }
    }

    fn expression(&mut self, call: &mut Call<'a>, handle: Handle<Expression>) -> Result<Value, TraceError> {
        let expression = &call.function.expressions[handle];
        Ok(match expression {
            Expression::FunctionArgument(index) => call.arguments[*index as usize].clone(),
            Expression::GlobalVariable(variable) => self.global(*variable)?,
            Expression::LocalVariable(variable) => {
                Value::Pointer(Pointer::Local { frame: call.frame, variable: variable.index(), indices: Vec::new() })
            }
            Expression::Load { pointer } => {
                let pointer = self.value(call, *pointer)?;
                self.path.push(handle.index() as u32);
                let value = self.load(pointer, call.function.expressions.get_span(handle))?;
                self.path.pop();
                value
            }
            Expression::Access { base, index } => {
                let (base, index) = (self.value(call, *base)?, self.value(call, *index)?);
                match (&base, &index) {
                    (Value::Pointer(_), _) => self.element(base, index.int()? as usize)?,
                    (_, Value::Int(index, _)) => base.part(*index as usize),
                    _ => Value::Unknown,
                }
            }
            Expression::AccessIndex { base, index } => match self.value(call, *base)? {
                base @ Value::Pointer(_) => self.element(base, *index as usize)?,
                base => base.part(*index as usize),
            },
            Expression::CallResult(_) | Expression::SubgroupOperationResult { .. } | Expression::SubgroupBallotResult => {
                return Err(TraceError::Unsupported("a result is used before its call"));
            }
            other => self.computed(other, &mut |machine, part| machine.value(call, part))?,
        })
    }

    /// An expression of other expressions, without memory.
    fn computed(&mut self, expression: &'a Expression, of: &mut Evaluate<'_, 'a>) -> Result<Value, TraceError> {
        Ok(match expression {
            Expression::Literal(literal) => of_literal(*literal),
            Expression::Constant(constant) => self.constant(self.module.constants[*constant].init)?,
            Expression::ZeroValue(ty) => zero(&self.module.types, *ty),
            Expression::Compose { ty, components } => {
                let parts = components.iter().map(|&part| of(self, part)).collect::<Result<Vec<_>, _>>()?;
                match self.module.types[*ty].inner {
                    // A vector may be composed of shorter ones.
                    TypeInner::Vector { .. } => Value::List(
                        parts.into_iter().flat_map(|part| if let Value::List(parts) = part { parts } else { vec![part] }).collect(),
                    ),
                    _ => Value::List(parts),
                }
            }
            Expression::Splat { size, value } => of(self, *value)?.splat(*size),
            Expression::Swizzle { size, vector, pattern } => {
                let vector = of(self, *vector)?;
                Value::List(pattern[..*size as usize].iter().map(|part| vector.part(*part as usize)).collect())
            }
            Expression::Unary { op, expr } => unary(*op, &of(self, *expr)?),
            Expression::Binary { op, left, right } => {
                let left = of(self, *left)?;
                binary(*op, &left, &of(self, *right)?)
            }
            Expression::Select { condition, accept, reject } => match of(self, *condition)? {
                Value::Int(0, _) => of(self, *reject)?,
                Value::Int(..) => of(self, *accept)?,
                _ => Value::Unknown,
            },
            Expression::Math { fun, arg, arg1, arg2, arg3 } => {
                let arguments = [Some(*arg), *arg1, *arg2, *arg3].into_iter().flatten();
                let arguments = arguments.map(|argument| of(self, argument)).collect::<Result<Vec<_>, _>>()?;
                math(*fun, &arguments)
            }
            Expression::As { expr, kind, convert } => cast(&of(self, *expr)?, *kind, *convert),
            Expression::Relational { .. } | Expression::ArrayLength(_) => Value::Unknown,
            _ => return Err(TraceError::Unsupported("it has an expression beyond loads, stores and sums")),
        })
    }

    /// A constant of the module.
    fn constant(&mut self, handle: Handle<Expression>) -> Result<Value, TraceError> {
        let expression = &self.module.global_expressions[handle];
        self.computed(expression, &mut |machine, part| machine.constant(part))
    }
}

fn of_literal(literal: Literal) -> Value {
    match literal {
        Literal::U32(value) => Value::uint(value.into()),
        Literal::I32(value) => Value::Int(value.into(), Scalar::I32),
        Literal::I64(value) | Literal::AbstractInt(value) => Value::Int(value, Scalar::I64),
        Literal::Bool(value) => Value::truth(value),
        _ => Value::Unknown,
    }
}
