//! Transforms that suit a new signal, so that one click shows something of it.

use super::{Channel, Settings};
use crate::signal::generate::{Generator, Polynomial};
use crate::signal::{Signal, SignalKind, System};
use crate::transforms::tridiagonal::TRIDIAGONAL;
use crate::transforms::{Axes, Input, Numbers, Parameters, Scheme, TRANSFORMS, transform};
use crate::ui::origin::{Origin, is_logic};
use crate::ui::preset::Preset;

impl Settings {
    /// Sets the origin, and a transform that suits it: the Walsh transform for a Boolean function, a solver for a tridiagonal system, the number-theoretic transform of a scheme for its polynomials.
    pub(crate) fn set_origin(&mut self, origin: Origin) {
        if matches!(origin, Origin::Generator(Generator::Boolean(_))) {
            self.set_walsh_transform();
        }
        if let Origin::Generator(generator) = &origin {
            let is_system = |origin: &Origin| matches!(origin, Origin::Generator(Generator::Equations(_)));
            match (is_system(&self.origin), is_system(&origin)) {
                (false, true) => self.set_transform(&TRIDIAGONAL),
                (true, true) => {}
                (_, false) => self.fit_axes(generator.entry().kind),
            }
            if let Generator::Polynomial(polynomial) = generator {
                self.follow_scheme(polynomial.scheme);
            }
        }
        self.open(origin);
    }

    /// Sets the scheme of the transform. A polynomial becomes one of the scheme; other samples stay.
    pub(crate) fn set_scheme(&mut self, scheme: Scheme) {
        match &self.origin {
            Origin::Generator(Generator::Polynomial(polynomial)) if scheme != Scheme::None => {
                self.set_origin(Origin::Generator(Generator::Polynomial(Polynomial { scheme, ..polynomial.clone() })));
            }
            _ => self.follow_scheme(scheme),
        }
    }

    /// Sets the number-theoretic transform, unless one of residues is set, and the modulus, the root and the layers of a scheme.
    fn follow_scheme(&mut self, scheme: Scheme) {
        if self.transform().takes != Numbers::Residues
            && let Ok(ntt) = transform("ntt")
        {
            self.set_transform(ntt);
        }
        self.parameters = Parameters { scheme, modulus: None, root: None, layers: None, ..self.parameters };
    }

    /// Sets the solver if the signal may hold a tridiagonal system.
    pub(crate) fn solve_if_system(&mut self, signal: &Signal) {
        if System::may_be_in(signal) && self.transform().input != Input::Equations {
            self.set_transform(&TRIDIAGONAL);
        }
    }

    /// Sets the Walsh transform, unless a transform of the same family is set.
    fn set_walsh_transform(&mut self) {
        let walsh = TRANSFORMS.iter().find(|transform| transform.name == "walsh");
        if let Some(walsh) = walsh.filter(|walsh| walsh.family != self.transform().family || self.transform().axes != Axes::Rows) {
            self.set_transform(walsh);
        }
    }

    /// Adapts the settings to a new signal: a transform for its axes and the preset, and a channel and a row that it has.
    pub fn adapt_to_signal(&mut self, signal: &Signal, preset: Preset) {
        if !(self.transform().input == Input::Equations && System::may_be_in(signal)) {
            self.fit_axes(signal.kind);
        }
        if preset == Preset::System {
            self.solve_if_system(signal);
        }
        if preset == Preset::Logic && is_logic(&self.origin, signal) {
            self.set_walsh_transform();
        }
        if signal.check_channel(self.channel).is_err() {
            self.channel = Channel::default();
        }
        if self.row >= signal.rows {
            self.row = 0;
        }
        self.looks.fit_units(self.has_unit(signal));
    }

    /// The same transform along the axes of such signals; without one, the first of its family or of the table that has these axes.
    fn fit_axes(&mut self, kind: SignalKind) {
        if self.transform().input == Input::Equations {
            self.set_transform(&TRANSFORMS[0]);
        }
        let axes = match kind {
            SignalKind::Image => Axes::Both,
            SignalKind::Rows => Axes::Rows,
        };
        let transform = self.transform();
        let mut fitting = TRANSFORMS.iter().filter(|other| other.axes == axes);
        let of_family = fitting.clone().find(|other| other.family == transform.family);
        let partner = fitting.clone().find(|other| transform.partner == Some(other.name));
        if transform.axes != axes
            && let Some(other) = partner.or(of_family).or_else(|| fitting.next())
        {
            self.set_transform(other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_polynomial_of_a_scheme_brings_its_transform() {
        let mut settings = Settings::default();
        settings.parameters.modulus = Some(97);
        for polynomial in Polynomial::of_schemes() {
            let (scheme, generator) = (polynomial.scheme, Generator::Polynomial(polynomial));
            let signal = Arc::new(generator.signal().expect("a formula"));
            settings.set_origin(Origin::Generator(generator));
            settings.adapt_to_signal(&signal, Preset::Signal);
            let job = settings.job(&signal);
            assert_eq!((job.transform, job.parameters.scheme), ("ntt", scheme));
            let plan = settings.transform().algorithms[0].plan_fn().expect("a plan")(job.shape(), job.parameters);
            // Some schemes stop early, which only layers do.
            let is_incomplete = scheme == Scheme::MlKem;
            assert_eq!(plan.is_err(), is_incomplete, "{scheme:?}");
            assert!(is_incomplete || plan.is_ok_and(|plan| plan.ring.modulus().map(Into::into) == scheme.modulus()));
        }
    }

    #[test]
    fn a_scheme_brings_its_modulus_and_other_samples_stay() {
        let mut settings = Settings::default();
        let origin = settings.origin.clone();
        settings.parameters.modulus = Some(97);
        settings.set_scheme(Scheme::MlDsa);
        assert!(settings.origin == origin && settings.transform == "ntt");
        assert_eq!((settings.parameters.scheme, settings.parameters.modulus), (Scheme::MlDsa, None));
        settings.set_origin(Origin::Generator(Generator::Polynomial(Polynomial { seed: 7, ..Polynomial::default() })));
        settings.set_scheme(Scheme::Falcon512);
        let falcon = Polynomial { scheme: Scheme::Falcon512, seed: 7, ..Polynomial::default() };
        assert_eq!(settings.origin, Origin::Generator(Generator::Polynomial(falcon)));
        assert_eq!(settings.parameters.scheme, Scheme::Falcon512);
    }
}
