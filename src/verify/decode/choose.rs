//! Binary numbers with the same number of ones, in ascending order: which comes at which place.

/// How many ways there are to choose some of up to 64 things.
pub struct Choose {
    ways: Box<[[u64; 66]; 65]>,
}

impl Choose {
    pub fn new() -> Choose {
        let mut ways = Box::new([[0u64; 66]; 65]);
        for things in 0..=64 {
            ways[things][0] = 1;
            for some in 1..=things {
                ways[things][some] = ways[things - 1][some - 1].saturating_add(ways[things - 1][some]);
            }
        }
        Choose { ways }
    }

    /// How many ways there are to choose some of these things.
    pub fn of(&self, things: u32, some: u32) -> u64 {
        self.ways[things as usize].get(some as usize).copied().unwrap_or(0)
    }

    /// How many lower numbers have as many ones.
    #[inline]
    pub fn rank(&self, number: u64) -> u64 {
        let (mut rest, mut ones, mut rank) = (number, 0, 0);
        while rest != 0 {
            ones += 1;
            rank += self.ways[rest.trailing_zeros() as usize][ones];
            rest &= rest - 1;
        }
        rank
    }

    /// The number with this many ones at a place among them.
    pub fn number(&self, rank: u64, ones: u32) -> u64 {
        let (mut rank, mut number) = (rank, 0);
        for ones in (1..=ones).rev() {
            let digit = (0..64).rev().find(|&digit| self.of(digit, ones) <= rank).unwrap_or(0);
            number |= 1 << digit;
            rank -= self.of(digit, ones);
        }
        number
    }
}

/// The next higher number with as many ones.
pub fn next_with_as_many_ones(number: u64) -> u64 {
    if number == 0 {
        return 0;
    }
    let lowest = number & number.wrapping_neg();
    let carried = number.wrapping_add(lowest);
    carried | ((number ^ carried) >> 2).checked_div(lowest).unwrap_or(0)
}
