//! All row games that are small enough to compare with a slow, obvious method.

/// All row games with up to 12 cells, up to 4 wide and high, with every length of row that makes a difference.
pub fn small_row_games() -> Vec<String> {
    let mut names = Vec::new();
    for (width, height) in (1..=4).flat_map(|width: u8| (1..=4).map(move |height| (width, height))) {
        for k in (1..=width.max(height) + 1).filter(|_| width * height <= 12) {
            for flags in ["", "+gravity", "+misere", "+gravity+misere"] {
                names.push(format!("{width}x{height}x{k}{flags}"));
            }
        }
    }
    names
}
