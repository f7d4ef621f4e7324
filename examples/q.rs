use menace::*;
fn main() {
    for name in std::env::args().skip(1) {
        let game = games::find(&name).unwrap();
        let mut n = 0;
        let mut fin = 0;
        let t = std::time::Instant::now();
        for_each_board(&*game, &(), |b, p| {
            n += 1;
            if game.result(b, p).is_some() {
                fin += 1
            }
        });
        print!("{name}: boards {n} finished {fin} ({:?})", t.elapsed());
        let r = Run::generate(game, &Plan { aim: Aim::Safe, ..Plan::default() }, &()).unwrap();
        for (m, t) in r.tables() {
            print!(
                "  {} boxes {} beads {} rounds {:?}",
                m.name(),
                t.boxes.len(),
                t.bead_count(),
                t.rounds.iter().map(|r| (r.beads_removed, r.boards_banned)).collect::<Vec<_>>()
            );
        }
        println!(" {:?}", t.elapsed());
    }
}
