use std::time::Instant;
use menace::engine::*;
fn main() {
    let name = std::env::args().nth(1).unwrap();
    let kind = if std::env::args().nth(2).as_deref() == Some("depth") { Kind::Depth } else { Kind::Winner };
    let game = menace::games::find(&name).unwrap();
    let rows = menace::games::rows(&*game).unwrap();
    let layout = Layout::new(&rows);
    let lines: Vec<u64> = rows.lines().collect();
    let t = Instant::now();
    let reached = reach(&layout, &lines, &());
    println!("reach {:?} boards {} boxes {}", t.elapsed(), reached.iter().map(|r| r.boards).sum::<u64>(), reached.iter().flat_map(|r| &r.boxes).map(|b| b.count_ones() as u64).sum::<u64>());
    let t = Instant::now();
    let mut solver = Solver::new(&rows, &layout, kind);
    let mut bytes = 0;
    let mut first = vec![];
    for stones in (0..=layout.cells()).rev() {
        let tier = solver.solve(&reached[stones as usize].boxes, &()).unwrap();
        bytes += tier.codes.len();
        first = tier.codes;
    }
    println!("solve {:?} bytes {bytes} start {first:?}", t.elapsed());
}
