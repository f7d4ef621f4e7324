//! What an agent answers for a board: a move, weights of moves, or nothing.
//!
//! Whole numbers and fractions are exact, and so are floats that are all equal. Other floats are rounded to multiples of 2^-40 that
//! add up to one, so that exact odds stay small numbers over a power of two; what is more than 0 stays more than 0.

use menace::{Move, Position};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString};

use crate::errors::value;
use crate::game::Rules;
use crate::values;

/// The parts that a probability given as a float is counted in.
const PARTS: u64 = 1 << 40;

/// The legal moves of an answer, each with how often it is played; none if it names no legal move.
pub fn legal_moves(rules: &Rules, at: Position, answer: &Bound<'_, PyAny>) -> PyResult<Vec<(Move, u64)>> {
    if answer.is_none() {
        return Ok(Vec::new());
    }
    let is_move = answer.is_instance_of::<PyString>() || answer.extract::<i128>().is_ok();
    if is_move {
        return Ok(rules.find(answer, at)?.map(|mv| (mv, 1)).into_iter().collect());
    }
    let mut weights = Vec::new();
    if let Ok(mapping) = answer.cast::<PyMapping>() {
        for item in mapping.items()?.iter() {
            let (key, weight): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
            let weight = Weight::of(&weight)?;
            weights.extend(rules.find(&key, at)?.map(|mv| (mv, weight)));
        }
    } else {
        weights = of_actions(rules, at, answer)?;
    }
    weights.sort_by_key(|(mv, _)| *mv);
    if weights.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return Err(value("an answer names the same move twice, by its name and as an action"));
    }
    counted(weights)
}

/// Weights in a row, one for each action.
fn of_actions(rules: &Rules, at: Position, answer: &Bound<'_, PyAny>) -> PyResult<Vec<(Move, Weight)>> {
    let actions = rules.actions()?;
    let wrong = || {
        let found = values::type_name(answer);
        let count = actions.count();
        PyTypeError::new_err(format!(
            "an answer is a move, a mapping from moves to weights, a weight for each of the {count} actions, or None; found {found}"
        ))
    };
    let weights: Vec<Bound<'_, PyAny>> = answer.try_iter().map_err(|_| wrong())?.collect::<PyResult<_>>()?;
    if weights.len() != actions.count() {
        return Err(wrong());
    }
    let mut found = Vec::new();
    for mv in rules.moves(at) {
        if let Some(weight) = actions.number(mv).and_then(|action| weights.get(action)) {
            found.push((mv, Weight::of(weight)?));
        }
    }
    Ok(found)
}

/// How often a move is played, compared with others.
enum Weight {
    Exact(BigRational),
    Float(f64),
}

impl Weight {
    fn of(given: &Bound<'_, PyAny>) -> PyResult<Weight> {
        let wrong = || {
            let text: String = given.repr().map(|text| text.to_string().chars().take(40).collect()).unwrap_or_default();
            value(format!("a weight is a number from 0 up, found {text}"))
        };
        let weight = match exact(given) {
            Some(exact) => Weight::Exact(exact),
            None => Weight::Float(given.extract().map_err(|_| wrong())?),
        };
        let is_sound = match &weight {
            Weight::Exact(exact) => !exact.is_negative(),
            Weight::Float(float) => float.is_finite() && *float >= 0.0,
        };
        if is_sound { Ok(weight) } else { Err(wrong()) }
    }

    fn float(&self) -> f64 {
        match self {
            Weight::Exact(exact) => exact.to_f64().unwrap_or(f64::MAX),
            Weight::Float(float) => *float,
        }
    }
}

/// A whole number or a fraction.
fn exact(given: &Bound<'_, PyAny>) -> Option<BigRational> {
    let part = |name: &str| given.getattr(name).ok()?.extract::<BigInt>().ok();
    let (numerator, denominator) = (part("numerator")?, part("denominator")?);
    (!denominator.is_zero()).then(|| BigRational::new(numerator, denominator))
}

/// Weights as whole numbers.
fn counted(weights: Vec<(Move, Weight)>) -> PyResult<Vec<(Move, u64)>> {
    let exact: Option<Vec<(Move, BigRational)>> = weights
        .iter()
        .map(|(mv, weight)| match weight {
            Weight::Exact(exact) => Some((*mv, exact.clone())),
            Weight::Float(_) => None,
        })
        .collect();
    let counted = exact.and_then(whole);
    let counted = counted.unwrap_or_else(|| rounded(&weights));
    Ok(counted.into_iter().filter(|&(_, number)| number > 0).collect())
}

/// Exact weights as whole numbers, unless these are too large.
fn whole(weights: Vec<(Move, BigRational)>) -> Option<Vec<(Move, u64)>> {
    let least =
        weights.iter().fold(BigInt::one(), |least, (_, weight)| num_integer::lcm(least, weight.denom().clone()));
    let number = |weight: &BigRational| (weight * &least).to_integer().to_u64().filter(|&number| number <= PARTS << 16);
    weights.iter().map(|(mv, weight)| Some((*mv, number(weight)?))).collect()
}

/// Weights as parts of a whole, in the order of the moves; what rounding leaves over goes to the largest.
fn rounded(weights: &[(Move, Weight)]) -> Vec<(Move, u64)> {
    // Divided first, so that the sum of large weights is no infinity.
    let largest = weights.iter().map(|(_, weight)| weight.float()).fold(0.0, f64::max);
    if largest == 0.0 {
        return Vec::new();
    }
    let scaled: Vec<f64> = weights.iter().map(|(_, weight)| weight.float() / largest).collect();
    let sum: f64 = scaled.iter().sum();
    // Equal weights need no rounding, and what can be played stays possible.
    if scaled.iter().all(|&weight| weight == 0.0 || weight == 1.0) {
        return weights.iter().zip(scaled).map(|((mv, _), weight)| (*mv, weight as u64)).collect();
    }
    let part = |weight: &f64| (weight / sum * PARTS as f64).floor() as u64;
    let mut parts: Vec<u64> = scaled.iter().map(|weight| part(weight).max(u64::from(*weight > 0.0))).collect();
    let sum: u64 = parts.iter().sum();
    if let Some(most) = parts.iter_mut().max() {
        *most = *most + PARTS - sum;
    }
    weights.iter().map(|(mv, _)| *mv).zip(parts).collect()
}
