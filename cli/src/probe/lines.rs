//! Lines of any length, in bounded memory.

use std::io::{self, Read};

/// The most bytes a line can have. No board comes near it.
pub const LONGEST: usize = 1000;

/// A line without its line break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    Whole(&'a [u8]),
    /// Its bytes were dropped.
    TooLong,
}

/// Splits an input into lines. It reads only when it is told to, so that answers can be written before it waits.
pub struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    /// The part of the buffer that was read but not yet split.
    unread: std::ops::Range<usize>,
    /// Whether the start of the current line was dropped.
    is_cut: bool,
    is_first: bool,
    has_ended: bool,
}

/// How many bytes are read at once.
const AT_ONCE: usize = 1 << 16;

impl<R: Read> Lines<R> {
    pub fn new(input: R) -> Lines<R> {
        Lines { input, buffer: vec![0; AT_ONCE], unread: 0..0, is_cut: false, is_first: true, has_ended: false }
    }

    /// The next line that was read as a whole; none until more is read. The last line need not have a line break.
    pub fn next_line(&mut self) -> Option<Line<'_>> {
        let unread = &self.buffer[self.unread.clone()];
        let (line, next) = match unread.iter().position(|&byte| byte == b'\n') {
            Some(end) => (&unread[..end], self.unread.start + end + 1),
            None if self.has_ended && (self.is_cut || !unread.is_empty()) => (unread, self.unread.end),
            None => return None,
        };
        self.unread.start = next;
        let is_cut = std::mem::take(&mut self.is_cut);
        let is_first = std::mem::take(&mut self.is_first);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // Some programs pipe a byte-order mark first.
        let line = line.strip_prefix("\u{feff}".as_bytes()).filter(|_| is_first).unwrap_or(line);
        Some(if is_cut || line.len() > LONGEST { Line::TooLong } else { Line::Whole(line) })
    }

    /// Reads more, and waits for it if there is nothing yet. False if the input had ended before.
    pub fn read_more(&mut self) -> io::Result<bool> {
        if self.has_ended {
            return Ok(false);
        }
        if self.unread.len() > LONGEST + "\r".len() {
            self.is_cut = true;
            self.unread = 0..0;
        }
        self.buffer.copy_within(self.unread.clone(), 0);
        self.unread = 0..self.unread.len();
        let read = loop {
            match self.input.read(&mut self.buffer[self.unread.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.has_ended = read == 0;
        self.unread.end += read;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Reads a few bytes at a time.
    struct Trickle<'a>(&'a [u8], usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(buffer.len());
            self.0.read(&mut buffer[..length])
        }
    }

    /// All lines; none for one that is too long.
    fn lines(bytes: &[u8], at_once: usize) -> Vec<Option<Vec<u8>>> {
        let (mut lines, mut found) = (Lines::new(Trickle(bytes, at_once)), Vec::new());
        loop {
            while let Some(line) = lines.next_line() {
                found.push(match line {
                    Line::Whole(line) => Some(line.to_vec()),
                    Line::TooLong => None,
                });
            }
            if !lines.read_more().unwrap() {
                return found;
            }
        }
    }

    #[test]
    fn line_breaks_of_all_systems_end_a_line() {
        let some = |lines: &[&str]| lines.iter().map(|line| Some(line.as_bytes().to_vec())).collect::<Vec<_>>();
        for at_once in [1, 2, 100] {
            assert_eq!(lines(b"a\r\n\nb\n", at_once), some(&["a", "", "b"]));
            assert_eq!(lines("\u{feff}a\n\u{feff}b".as_bytes(), at_once), some(&["a", "\u{feff}b"]));
            assert_eq!(lines(b"", at_once), some(&[]));
            assert_eq!(lines(b"\n", at_once), some(&[""]));
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_one_line() {
        let bytes = [&b"5".repeat(1_000_000)[..], b"\n7\n", &b"6".repeat(1001), b"\n", &b"8".repeat(300_000)].concat();
        for at_once in [999, 1000, 70_000, 2_000_000] {
            assert_eq!(lines(&bytes, at_once), [None, Some(b"7".to_vec()), None, None]);
        }
        assert_eq!(lines(&[&b"5".repeat(1000)[..], b"\r\n"].concat(), 1), [Some(b"5".repeat(1000))]);
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_how_they_arrive(
            bytes in prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), any::<u8>()], 0..3000),
            at_once in 1usize..50,
        ) {
            let whole = lines(&bytes, bytes.len() + 1);
            prop_assert_eq!(lines(&bytes, at_once), whole.clone());
            let breaks = bytes.iter().filter(|&&byte| byte == b'\n').count();
            let has_rest = bytes.last().is_some_and(|&byte| byte != b'\n');
            prop_assert_eq!(whole.len(), breaks + usize::from(has_rest));
        }
    }
}
