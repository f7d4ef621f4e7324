//! How many boards of a row game can occur, if they are not many.

use crate::board::{Board, Mark, Mask};
use crate::game::Game;
use crate::games::{Rows, choose};
use crate::position::{Position, Side};

/// How many boards can occur; none if they are more than a limit, or if there is no memory to count them.
///
/// Boards are counted by number of stones, from the empty one up. Only those with one number of stones are kept.
pub fn count_up_to(rows: &Rows, limit: u64) -> Option<u64> {
    let has_more = if rows.has_gravity() { meets_more_than } else { has_more_than };
    if has_more(rows, limit) {
        return None;
    }
    let mut boards = vec![Board::empty(rows.shape())];
    let (mut count, mut to_move) = (1, Side::First);
    while !boards.is_empty() {
        let (mut next, mut most) = (Vec::new(), MANY);
        for at in boards.into_iter().map(|board| Position::new(board, to_move)) {
            if rows.result(at).is_none() {
                let moves = rows.moves(at);
                next.try_reserve(moves.len()).ok()?;
                next.extend(moves.into_iter().map(|mv| at.board.play(mv)));
            }
            // Several moves lead to the same board. They are sorted out before they take much memory.
            if next.len() >= most {
                sort_out(&mut next);
                most = MANY.max(2 * next.len());
                if count + next.len() as u64 > limit {
                    return None;
                }
            }
        }
        sort_out(&mut next);
        count += next.len() as u64;
        if count > limit {
            return None;
        }
        (boards, to_move) = (next, to_move.other());
    }
    Some(count)
}

/// Boards that are kept before they are sorted out.
const MANY: usize = 1 << 20;

/// Keeps each board once.
fn sort_out(boards: &mut Vec<Board>) {
    boards.sort_unstable_by_key(|board| (board.stones(Mark::X), board.stones(Mark::O)));
    boards.dedup();
}

/// Whether there are more than this many open boards for certain, without gravity. Of all boards on which the players have taken
/// turns, those with a row are taken off, and those with several rows several times.
fn has_more_than(rows: &Rows, limit: u64) -> bool {
    let cells = u64::from(rows.shape().cells());
    let lines: Vec<Mask> = rows.lines().collect();
    let k = lines.first().map_or(cells + 1, |line| line.count_ones().into());
    let mut sum = 0u128;
    for stones in 0..=cells {
        let of_each = [stones.div_ceil(2), stones / 2];
        let all = choose(cells, stones).saturating_mul(choose(stones, of_each[0]));
        let with_row = |own: &u64| match (own.checked_sub(k), stones.checked_sub(k)) {
            (Some(own), Some(rest)) => choose(cells - k, rest).saturating_mul(choose(rest, own)),
            _ => 0,
        };
        let rows = of_each.iter().map(with_row).sum::<u128>().saturating_mul(lines.len() as u128);
        sum = sum.saturating_add(all.saturating_sub(rows));
    }
    sum > limit.into()
}

/// Whether there are more than this many boards for certain, with gravity. Boards are met by moves, but only by those whose stone
/// comes to lie above all others that the mover could have placed last. So no board is met twice, and none has to be remembered.
/// Those that cannot be built up like that are missed.
fn meets_more_than(rows: &Rows, limit: u64) -> bool {
    // The stones of the side to move, and those of the other side.
    let (mut met, mut waiting) = (1, vec![[0, 0]]);
    while let Some([own, others]) = waiting.pop().filter(|_| met <= limit) {
        if rows.has_row(others) {
            continue;
        }
        let highest = rows.tops(own | others) & own;
        let mut rest = rows.landing(own | others);
        while rest > highest {
            let stone = 1 << rest.ilog2();
            rest &= !stone;
            waiting.push([others, own | stone]);
            met += 1;
        }
    }
    met > limit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::find;

    #[test]
    fn boards_are_counted_up_to_a_limit() {
        for (name, boards) in
            [("3x3x3", 5478), ("4x3x3", 111_973), ("4x4x4+gravity", 161_029), ("3x3x1", 10), ("3x3x9", 6046)]
        {
            let game = find(name).unwrap();
            let rows = game.as_rows().unwrap();
            assert_eq!(count_up_to(rows, boards), Some(boards), "{name}");
            assert_eq!(count_up_to(rows, boards - 1), None, "{name}");
        }
        for (name, boards) in [("4x4x4+gravity", 161_029), ("3x3x3+gravity+misere", 0), ("2x5x3+gravity", 0)] {
            let game = find(name).unwrap();
            let rows = game.as_rows().unwrap();
            let boards = if boards == 0 { count_up_to(rows, 1_000_000).unwrap() } else { boards };
            assert!(!meets_more_than(rows, boards), "{name}");
            assert!(meets_more_than(rows, boards / 2), "{name}");
        }
        for name in ["4x4x4", "5x5x4", "8x8x5", "8x8x1", "6x6x3"] {
            let game = find(name).unwrap();
            let is_more = has_more_than(game.as_rows().unwrap(), 1_000_000);
            assert_eq!(is_more, name != "8x8x1", "{name}");
        }
    }
}
