//! A probability for output: the exact fraction and the nearest decimal.

use num_rational::BigRational;
use num_traits::ToPrimitive;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// A probability for programs: the exact fraction and the nearest decimal.
pub struct Probability<'a>(pub &'a BigRational);

impl Probability<'_> {
    /// The nearest decimal.
    pub fn decimal(&self) -> f64 {
        self.0.to_f64().unwrap_or(f64::NAN)
    }
}

impl Serialize for Probability<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(Some(2))?;
        fields.serialize_entry("fraction", &self.0.to_string())?;
        fields.serialize_entry("decimal", &self.decimal())?;
        fields.end()
    }
}
