// The types of real and complex numbers. Precisions differ in these lines only, apart from the literals.
alias Real = ⟨"f64" if double else "f32"⟩;
alias Complex = vec2<Real>;
