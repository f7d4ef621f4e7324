use menace::*;
use std::sync::Mutex;
use std::time::*;
struct P(Mutex<Instant>);
impl Progress for P {
    fn start(&self, s: &str, n: u128) {
        let mut t = self.0.lock().unwrap();
        println!("  {:?} -> {s} {n}", t.elapsed());
        *t = Instant::now();
    }
    fn advance(&self, _: u64) {}
}
fn main() {
    let game = games::find(&std::env::args().nth(1).unwrap()).unwrap();
    let p = P(Mutex::new(Instant::now()));
    let r = Run::generate(game, &Plan::default(), &p).unwrap();
    p.start("done", 0);
    drop(r);
    p.start("dropped", 0);
}
