//! PLA files as espresso reads them: one cube a line, for functions with two values.
//!
//! The reader knows the keywords for Boolean functions (R. K. Brayton and others, Logic Minimization Algorithms for VLSI Synthesis, 1984): .i .o .p .ilb .ob .type f, fd, fr, fdr and .e.
//! Don't cares are given the value 0; a note says so.

use super::error::{LogicError, quoted};
use super::{BooleanFunction, check_variables};

/// The largest number of bytes of all outputs together, and of words that cubes may touch.
const MOST_WORK: u64 = 1 << 32;
const MOST_OUTPUTS: u64 = 4096;

/// A table of one or more functions of the same variables.
#[derive(Debug, Clone, PartialEq)]
pub struct Pla {
    /// Names of the inputs, beginning with x1; empty where the file has none.
    pub inputs: Vec<String>,
    /// Name and function of every output.
    pub outputs: Vec<(String, BooleanFunction)>,
    /// Notes for the reader, a sentence each.
    pub notes: Vec<String>,
}

/// The sets of indices that the cubes of a file list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    /// Ones; anything else is 0.
    F,
    /// Ones and don't cares.
    Fd,
    /// Ones and zeros; anything else is a don't care.
    Fr,
    /// All three.
    Fdr,
}

#[derive(Default)]
struct Header {
    n_inputs: Option<u32>,
    n_outputs: Option<u64>,
    inputs: Vec<String>,
    outputs: Vec<String>,
    kind: Option<Type>,
}

const KEYWORDS: [&str; 11] = [".i", ".o", ".p", ".ilb", ".ob", ".type", ".e", ".end", ".phase", ".mv", ".kiss"];

impl Pla {
    /// Whether a text is a PLA file: its first line that is not a comment begins with a keyword.
    pub fn recognises(text: &str) -> bool {
        let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
        first.is_some_and(|line| KEYWORDS.contains(&line.split_whitespace().next().unwrap_or_default()))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When something is wrong with it; the message names the line.
    pub fn parse(text: &str) -> Result<Self, LogicError> {
        let mut header = Header::default();
        let mut sets: Option<Sets> = None;
        let (mut promised, mut ended) = (None, false);
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            let line = line.split('#').next().unwrap_or_default().trim();
            let at = |error: LogicError| LogicError::line(number, error.problem);
            if matches!(line.split_whitespace().next(), Some(".e" | ".end")) {
                ended = true;
                break;
            } else if let Some(count) = line.strip_prefix(".p ") {
                promised = Some((number, count.trim().to_owned()));
            } else if line.starts_with('.') {
                header.take(line).map_err(at)?;
            } else if !line.is_empty() {
                let sets = match &mut sets {
                    Some(sets) => sets,
                    None => sets.insert(Sets::new(&header).map_err(at)?),
                };
                sets.push(line).map_err(at)?;
            }
        }
        let sets = match sets {
            Some(sets) => sets,
            None => Sets::new(&header)?,
        };
        let (mut pla, n_cubes) = sets.finish(header)?;
        if n_cubes == 0 && !ended {
            return Err(LogicError::whole("there are neither cubes nor .e: the file is truncated"));
        }
        if let Some((number, count)) = promised
            && count.parse() != Ok(n_cubes)
        {
            let problem = format!("promises {count} cubes, and there are {n_cubes}");
            if !ended {
                return Err(LogicError::line(number, format!("{problem}: the file is truncated")));
            }
            pla.notes.push(format!("Line {number} {problem}."));
        }
        Ok(pla)
    }
}

impl Header {
    fn take(&mut self, line: &str) -> Result<(), LogicError> {
        let mut words = line.split_whitespace();
        let keyword = words.next().unwrap_or_default();
        // A line may have millions of names.
        let rest: Vec<String> = words.take(MOST_OUTPUTS as usize + 1).map(str::to_owned).collect();
        let number = || match &rest[..] {
            [number] => number.parse::<u64>().ok(),
            _ => None,
        };
        let wrong = || LogicError::whole(format!("{keyword} takes one whole number"));
        match keyword {
            ".i" => self.n_inputs = Some(check_variables(number().ok_or_else(wrong)?, ".i asks for a function of")?),
            ".o" => match number().ok_or_else(wrong)? {
                outputs @ 1..=MOST_OUTPUTS => self.n_outputs = Some(outputs),
                outputs => return Err(LogicError::whole(format!(".o asks for {outputs} outputs: 1 to {MOST_OUTPUTS} are taken"))),
            },
            ".ilb" => self.inputs = rest,
            ".ob" => self.outputs = rest,
            ".type" => {
                self.kind = Some(match rest.first().map(String::as_str) {
                    Some("f") => Type::F,
                    Some("fd") => Type::Fd,
                    Some("fr") => Type::Fr,
                    Some("fdr") => Type::Fdr,
                    _ => return Err(LogicError::whole(".type is f, fd, fr or fdr")),
                });
            }
            ".p" => return Err(wrong()),
            ".mv" | ".kiss" | ".symbolic" | ".phase" | ".pair" => {
                return Err(LogicError::whole(format!("{keyword} is not read: only functions with two values are")));
            }
            _ => return Err(LogicError::whole(format!("{} is no keyword of a PLA file", quoted(keyword)))),
        }
        Ok(())
    }
}

/// The functions while the cubes are read.
struct Sets {
    n: u32,
    kind: Type,
    ones: Vec<BooleanFunction>,
    zeros: Vec<BooleanFunction>,
    cares_not: bool,
    n_cubes: u64,
    work: u64,
}

impl Sets {
    fn new(header: &Header) -> Result<Self, LogicError> {
        let missing = |keyword: &str| LogicError::whole(format!("{keyword} is missing: it comes before the cubes"));
        let n = header.n_inputs.ok_or_else(|| missing(".i"))?;
        let outputs = header.n_outputs.ok_or_else(|| missing(".o"))?;
        // Every output becomes samples of 32 bits.
        if outputs << n > MOST_WORK / 4 {
            return Err(LogicError::whole(format!("{outputs} outputs of {n} variables do not fit: take fewer of either")));
        }
        let none = vec![BooleanFunction::constant(n, false); outputs as usize];
        let kind = header.kind.unwrap_or(Type::Fd);
        Ok(Self {
            n,
            kind,
            zeros: if kind == Type::F { Vec::new() } else { none.clone() },
            ones: none,
            cares_not: false,
            n_cubes: 0,
            work: 0,
        })
    }

    fn push(&mut self, line: &str) -> Result<(), LogicError> {
        let n = self.n as usize;
        let digits = || line.chars().filter(|c| !c.is_whitespace() && *c != '|');
        let (wanted, found) = (n + self.ones.len(), digits().count());
        if found != wanted {
            let outputs = self.ones.len();
            return Err(LogicError::whole(format!("the cube has {found} digits, and {n} inputs and {outputs} outputs take {wanted}")));
        }
        let digits: Vec<char> = digits().collect();
        self.work += (wanted as u64) << self.n.saturating_sub(6);
        if self.work > MOST_WORK {
            return Err(LogicError::whole("it has too many cubes for its number of variables"));
        }
        let cube = cube(&digits[..n], self.n)?;
        for (index, &c) in digits[n..].iter().enumerate() {
            let set = match c {
                '1' | '4' => &mut self.ones,
                '0' if matches!(self.kind, Type::Fr | Type::Fdr) => &mut self.zeros,
                '0' | '~' | '3' => continue,
                '-' | '2' => {
                    self.cares_not |= matches!(self.kind, Type::Fd | Type::Fdr);
                    continue;
                }
                _ => return Err(LogicError::whole(format!("{} is no output: 0, 1, - and ~ are", quoted(&c.to_string())))),
            };
            set[index] = set[index].clone().combine(&cube, |a, b| a | b);
        }
        self.n_cubes += 1;
        Ok(())
    }

    /// The content of the file, and its number of cubes.
    fn finish(self, header: Header) -> Result<(Pla, u64), LogicError> {
        for (names, wanted, keyword) in [(&header.inputs, self.n as usize, ".ilb"), (&header.outputs, self.ones.len(), ".ob")] {
            if !names.is_empty() && names.len() != wanted {
                return Err(LogicError::whole(format!("{keyword} has {} names, and {wanted} are needed", names.len())));
            }
        }
        let lists_zeros = matches!(self.kind, Type::Fr | Type::Fdr);
        let mut cares_not = self.cares_not;
        if lists_zeros {
            for (index, (ones, zeros)) in self.ones.iter().zip(&self.zeros).enumerate() {
                let both = ones.clone().combine(zeros, |a, b| a & b);
                if let Some(place) = both.ones().next() {
                    let name = name(&header.outputs, index);
                    return Err(LogicError::whole(format!("output {name} is both 0 and 1 at index {place}")));
                }
                cares_not |= ones.weight() + zeros.weight() < ones.len();
            }
        }
        let mut notes = Vec::new();
        if cares_not {
            notes.push("Don't cares are given the value 0.".to_owned());
        }
        let outputs = self.ones.into_iter().enumerate().map(|(index, function)| (name(&header.outputs, index), function)).collect();
        Ok((Pla { inputs: header.inputs, outputs, notes }, self.n_cubes))
    }
}

fn name(names: &[String], index: usize) -> String {
    names.get(index).cloned().unwrap_or_else(|| format!("f{}", index + 1))
}

/// The product of the literals of a cube.
fn cube(digits: &[char], n: u32) -> Result<BooleanFunction, LogicError> {
    let mut cube = BooleanFunction::constant(n, true);
    for (j, &c) in (1..).zip(digits) {
        let operation: fn(u64, u64) -> u64 = match c {
            '1' => |a, b| a & b,
            '0' => |a, b| a & !b,
            '-' | '2' => continue,
            _ => return Err(LogicError::whole(format!("{} is no input: 0, 1 and - are", quoted(&c.to_string())))),
        };
        cube = cube.combine(&BooleanFunction::variable(n, j), operation);
    }
    Ok(cube)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDER: &str = "# a full adder\n.i 3\n.o 2\n.ilb a b cin\n.ob sum carry\n.p 7\n100 10\n010 10\n001 10\n111 1-\n11- 01\n1-1 01\n-11|01\n.e\nwhatever";

    #[test]
    fn cubes_make_functions() {
        let pla = Pla::parse(ADDER).expect("it is right");
        assert!(Pla::recognises(ADDER) && !Pla::recognises("0.5\n1\n"));
        assert_eq!(pla.inputs, ["a", "b", "cin"]);
        let ones: Vec<(String, Vec<usize>)> =
            pla.outputs.iter().map(|(name, function)| (name.clone(), function.ones().collect())).collect();
        assert_eq!(ones, [("sum".to_owned(), vec![1, 2, 4, 7]), ("carry".to_owned(), vec![3, 5, 6, 7])]);
        assert_eq!(pla.notes, ["Don't cares are given the value 0."]);
        assert_eq!(Pla::parse(&ADDER.replace(".p 7", ".p 8")).expect("it is right").notes.len(), 2);
    }

    #[test]
    fn types_say_what_is_listed() {
        let file = |kind: &str, cubes: &str| Pla::parse(&format!(".i 2\n.o 1\n.type {kind}\n{cubes}\n.e"));
        let complete = file("fr", "11 1\n0- 0\n10 0").expect("it is right");
        assert_eq!((complete.outputs[0].1.weight(), complete.notes.len()), (1, 0));
        assert_eq!(file("fr", "11 1\n0- 0").expect("it is right").notes.len(), 1);
        assert!(file("fr", "11 1\n1- 0").expect_err("both").to_string().contains("both 0 and 1 at index 3"));
        assert_eq!(file("f", "11 1\n10 0").expect("it is right").notes.len(), 0);
        assert_eq!(Pla::parse(".i 2\n.o 1\n.e").expect("no cube is the constant 0").outputs[0].1.weight(), 0);
    }

    #[test]
    fn bad_files_are_refused_with_their_line() {
        for (text, part) in [
            (".i 2\n.o 1\n11 1\n1 1", "line 4: the cube has 2 digits"),
            (".i 2\n.o 1\n1x 1", "line 3: “x”"),
            (".i 2\n.o 1\n11 z", "line 3: “z”"),
            (".i 40\n.o 1", "line 1: .i asks for a function of 40 variables"),
            (".i two\n.o 1", "line 1: .i takes one whole number"),
            (".i 2\n.o 0", "line 2"),
            (".o 1\n11 1", "line 2: .i is missing"),
            (".i 2\n11 1", "line 2: .o is missing"),
            (".i 2\n.mv 3", "line 2: .mv is not read"),
            (".i 2\n.foo", "line 2: “.foo”"),
            (".i 2\n.o 1\n.ilb a\n11 1", ".ilb has 1 names"),
            (".i 2\n.o 1\n.type x\n", "line 3: .type is"),
            (".i 26\n.o 4096\n", "do not fit"),
            (".i 2\n.o 1\n", "neither cubes nor .e"),
            (".i 2\n.o 1\n.p 2\n11 1", "line 3: promises 2 cubes, and there are 1: the file is truncated"),
        ] {
            let error = Pla::parse(text).expect_err(text).to_string();
            assert!(error.contains(part) && error.lines().count() == 1, "{text}: {error}");
        }
    }
}
