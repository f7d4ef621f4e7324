//! The parts of a packed file as bytes: its header, and the head and the record of each part.

use std::fmt;
use std::io;
use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::PackedError;
use crate::aim::Aim;
use crate::board::excerpt;
use crate::engine::{Counts, Detail, Finder, Kind, Scheme, Tally};
use crate::games::Rows;
use crate::position::Sides;
use crate::progress::{Progress, Stopped, advance};
use crate::table::Plan;
use crate::table::bytes::ReadAt;

/// The first bytes of a packed table. The last two are there to be spoiled by programs that treat the file as text.
const MAGIC: [u8; 8] = *b"MENACE\x1a\n";
pub const VERSION: u32 = 3;

/// How many bytes of a payload share a checksum, and are compressed together.
pub const CHUNK: usize = 1 << 14;

/// How many groups follow one another without an entry in the index.
pub const BATCH: u64 = 64;

/// Whether some bytes are meant to be a packed table, judging by how they begin.
pub fn is_packed(source: &dyn ReadAt) -> io::Result<bool> {
    let mut start = [0; MAGIC.len()];
    if source.size()? < start.len() as u64 {
        return Ok(false);
    }
    source.read_exact_at(&mut start, 0)?;
    Ok(start == MAGIC)
}

/// The checksum of some bytes.
pub fn crc(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// The description of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub game: String,
    pub aim: Aim,
    pub symmetry: bool,
    pub machines: Sides,
    pub depths: bool,
    pub scheme: Scheme,
    pub is_compressed: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderJson {
    aim: String,
    anchors: Vec<u8>,
    compressed: bool,
    depths: bool,
    game: String,
    layout: String,
    machines: String,
    symmetry: bool,
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flag = |is_set: bool, text: &'static str| if is_set { text } else { "" };
        let (symmetry, depths) = (flag(self.symmetry, ", one box per class"), flag(self.depths, ", with depths"));
        let compressed = flag(self.is_compressed, ", compressed");
        let game = excerpt(&self.game);
        write!(f, "{game}, aim {}, machines: {}{symmetry}{depths}{compressed}", self.aim.name(), self.machines.name())
    }
}

impl Header {
    /// No description of a table is longer than this, including the bytes around it.
    pub const LONGEST: usize = 1 << 12;

    /// The description of the table that a plan asks for.
    pub fn new(game: String, plan: &Plan, scheme: Scheme) -> Header {
        Header {
            game,
            aim: plan.aim,
            symmetry: plan.symmetry,
            machines: plan.machines,
            depths: plan.keeps_depths(),
            scheme,
            is_compressed: plan.compress,
        }
    }

    pub fn detail(&self) -> Detail {
        if self.depths { Detail::Depth } else { Detail::Winner }
    }

    /// The bytes that a table begins with.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.summed_bytes();
        bytes.extend(crc(&bytes).to_le_bytes());
        bytes
    }

    /// The checksum in it.
    pub fn checksum(&self) -> u32 {
        crc(&self.summed_bytes())
    }

    /// What the checksum is of.
    fn summed_bytes(&self) -> Vec<u8> {
        let json = HeaderJson {
            aim: self.aim.name().to_owned(),
            anchors: self.scheme.anchors.clone(),
            compressed: self.is_compressed,
            depths: self.depths,
            game: self.game.clone(),
            layout: self.scheme.kind.name().to_owned(),
            machines: self.machines.name().to_owned(),
            symmetry: self.symmetry,
        };
        let json = serde_json::to_vec(&json).expect("texts, numbers and flags can be written");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((json.len() as u32).to_le_bytes());
        bytes.extend(json);
        bytes
    }

    /// The description at the start of a table, and where it ends.
    pub fn read(bytes: &[u8]) -> Result<(Header, usize), PackedError> {
        let cut_short = || PackedError::Header("is cut short".to_owned());
        if !bytes.starts_with(&MAGIC) {
            return Err(PackedError::Magic);
        }
        let number =
            |at: usize| bytes.get(at..at + 4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        let version = number(8).ok_or_else(cut_short)?;
        if version != VERSION {
            return Err(PackedError::Version(version));
        }
        let length = number(12).ok_or_else(cut_short)?;
        let most = Header::LONGEST - 20;
        if length as usize > most {
            return Err(PackedError::Header(format!("would have {length} bytes where at most {most} were expected")));
        }
        let end = 16 + length as usize;
        if number(end).ok_or_else(cut_short)? != crc(&bytes[..end]) {
            return Err(PackedError::Header("does not match its checksum".to_owned()));
        }
        let json: HeaderJson = serde_json::from_slice(&bytes[16..end])
            .map_err(|error| PackedError::Header(format!("is not understood ({error})")))?;
        let unknown = |what: &str, name: &str, expected: &str| {
            PackedError::Header(format!("has the {what} \"{}\" where {expected} was expected", excerpt(name)))
        };
        let kind = Kind::from_name(&json.layout).ok_or_else(|| unknown("layout", &json.layout, "fold or tiles"))?;
        let header = Header {
            aim: Aim::from_name(&json.aim)
                .filter(|&aim| aim != Aim::Trap)
                .ok_or_else(|| unknown("aim", &json.aim, "safe, win or fastest"))?,
            machines: json
                .machines
                .parse()
                .ok()
                .filter(|machines| *machines != Sides::NONE)
                .ok_or_else(|| unknown("machines", &json.machines, "first, second or both"))?,
            game: json.game,
            symmetry: json.symmetry,
            depths: json.depths,
            scheme: Scheme { kind, anchors: json.anchors },
            is_compressed: json.compressed,
        };
        if header.aim == Aim::Fastest && !header.depths {
            return Err(PackedError::Header("has the aim fastest and no depths".to_owned()));
        }
        Ok((header, end + 4))
    }
}

/// The bytes of the head of a part.
pub const HEAD: usize = 20;

/// The head of a part: how long its payload and its record are.
pub fn head(payload: u64, record: u64) -> [u8; HEAD] {
    let mut bytes = [0; HEAD];
    bytes[..8].copy_from_slice(&payload.to_le_bytes());
    bytes[8..16].copy_from_slice(&record.to_le_bytes());
    let sum = crc(&bytes[..16]);
    bytes[16..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Where a part is in the file, and what its record says.
#[derive(Clone, Debug)]
pub struct Part {
    /// The payload as it is stored.
    pub payload: Range<u64>,
    /// Where the part ends.
    pub end: u64,
    /// How many chunks the parts before it have.
    pub first_chunk: usize,
    /// The number of the first batch of each tier.
    pub first_batches: Vec<u64>,
    pub record: Record,
}

/// The record of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The bytes of the payload before compression.
    pub length: u64,
    /// The number of groups of each tier, in the order of the tiers.
    pub groups: Vec<u64>,
    /// Where each batch begins in the payload, before compression.
    pub batches: Vec<u64>,
    /// Where each stored chunk ends; nothing if they are not compressed.
    pub ends: Vec<u64>,
    /// A checksum for each chunk.
    pub sums: Vec<u32>,
    /// What was counted.
    pub tally: Tally,
}

impl Record {
    pub fn to_bytes(&self) -> Vec<u8> {
        let numbers = [self.length].into_iter().chain(self.groups.iter().copied());
        let numbers = numbers.chain(self.batches.iter().copied()).chain(self.ends.iter().copied());
        let mut bytes: Vec<u8> = numbers.flat_map(u64::to_le_bytes).collect();
        bytes.extend(self.sums.iter().flat_map(|sum| sum.to_le_bytes()));
        for (_, counts) in self.tally.iter() {
            let Counts { boards, rows, codes, boxes, beads } = counts;
            let numbers = [boards, rows].into_iter().chain(codes).chain(boxes).chain([beads]);
            bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(crc(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a record of a part with this many tiers; none if it does not match its checksum, or has another length.
    fn read(bytes: &[u8], tiers: usize, is_compressed: bool, mut tally: Tally) -> Option<Record> {
        let (bytes, sum) = bytes.split_last_chunk::<4>()?;
        if *sum != crc(bytes).to_le_bytes() {
            return None;
        }
        let mut rest = Numbers(bytes);
        let length = rest.next()?;
        let groups: Vec<u64> = (0..tiers).map(|_| rest.next()).collect::<Option<_>>()?;
        let batches = groups.iter().try_fold(0u64, |sum, groups| sum.checked_add(groups.div_ceil(BATCH)))?;
        let batches = rest.many(batches)?;
        let chunks = length.div_ceil(CHUNK as u64);
        let ends = if is_compressed { rest.many(chunks)? } else { Vec::new() };
        let sums = rest.take(chunks.checked_mul(4)?)?.as_chunks::<4>().0.iter().map(|sum| u32::from_le_bytes(*sum));
        let sums = sums.collect();
        for counts in tally.iter_mut() {
            (counts.boards, counts.rows) = (rest.next()?, rest.next()?);
            for number in counts.codes.iter_mut().chain(&mut counts.boxes) {
                *number = rest.next()?;
            }
            counts.beads = rest.next()?;
        }
        let is_sound = rest.0.is_empty() && batches.is_sorted() && batches.iter().all(|&start| start <= length);
        is_sound.then_some(Record { length, groups, batches, ends, sums, tally })
    }
}

/// Numbers, one after the other.
struct Numbers<'a>(&'a [u8]);

impl<'a> Numbers<'a> {
    fn take(&mut self, bytes: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(usize::try_from(bytes).ok()?)?;
        self.0 = rest;
        Some(taken)
    }

    fn next(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn many(&mut self, count: u64) -> Option<Vec<u64>> {
        let bytes = self.take(count.checked_mul(8)?)?;
        Some(bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect())
    }
}

/// What reading the parts of a file needs to know.
pub struct Shape<'a> {
    pub finder: &'a dyn Finder,
    pub rows: &'a Rows,
    pub header: &'a Header,
}

impl Shape<'_> {
    /// Reads the head and the record of a part that begins at an offset. None if the file ends before it does.
    pub fn part(
        &self,
        source: &dyn ReadAt,
        size: u64,
        number: usize,
        start: u64,
        first_chunk: usize,
    ) -> Result<Option<Part>, PackedError> {
        let damaged = || PackedError::Record { part: number };
        if size.saturating_sub(start) < HEAD as u64 {
            return Ok(None);
        }
        let mut bytes = [0; HEAD];
        source.read_exact_at(&mut bytes, start)?;
        let mut numbers = Numbers(&bytes);
        let (payload, record) = numbers.next().zip(numbers.next()).ok_or_else(damaged)?;
        if bytes != head(payload, record) {
            return Err(damaged());
        }
        let begin = start + HEAD as u64;
        let ends = begin.checked_add(payload).and_then(|middle| Some((middle, middle.checked_add(record)?)));
        let (middle, end) = ends.ok_or_else(damaged)?;
        if end > size {
            return Ok(None);
        }
        let mut bytes = vec![0; record as usize];
        source.read_exact_at(&mut bytes, middle)?;
        let tiers = self.finder.tiers(number).count();
        let tally = Tally::new(self.rows, self.header.detail());
        let record = Record::read(&bytes, tiers, self.header.is_compressed, tally).ok_or_else(damaged)?;
        let counts = self.finder.group_counts(number);
        if counts.is_some_and(|counts| !record.groups.iter().eq(counts.iter().rev())) {
            return Err(PackedError::Wrong { part: number, what: "a tier has another number of groups" });
        }
        let stored = record.ends.last().copied().unwrap_or(if self.header.is_compressed { 0 } else { record.length });
        if stored != payload || !record.ends.is_sorted() {
            return Err(damaged());
        }
        let first_batches = record.groups.iter().scan(0, |sum, groups| {
            let first = *sum;
            *sum += groups.div_ceil(BATCH);
            Some(first)
        });
        Ok(Some(Part { payload: begin..middle, end, first_chunk, first_batches: first_batches.collect(), record }))
    }
}

impl Part {
    /// How many chunks it has.
    pub fn chunks(&self) -> usize {
        self.record.sums.len()
    }

    /// The stored bytes of a chunk, and how many they are before compression.
    pub fn chunk(&self, chunk: usize) -> (Range<u64>, usize) {
        let from = (chunk * CHUNK) as u64;
        let length = (self.record.length - from).min(CHUNK as u64);
        let stored = match &self.record.ends[..] {
            [] => from..from + length,
            ends => chunk.checked_sub(1).map_or(0, |before| ends[before])..ends[chunk],
        };
        (self.payload.start + stored.start..self.payload.start + stored.end, length as usize)
    }

    /// Whether every chunk of it matches its checksum. The steps are stored bytes.
    pub fn is_sound(&self, source: &dyn ReadAt, progress: &dyn Progress) -> Result<bool, Stopped> {
        let test = |chunk| {
            let (stored, _) = self.chunk(chunk);
            let mut bytes = vec![0; (stored.end - stored.start) as usize];
            advance(progress, bytes.len() as u64).map_err(Some)?;
            let is_sound = source.read_exact_at(&mut bytes, stored.start).is_ok() && self.matches(chunk, &bytes);
            // Damage ends the test just as a stop does.
            if is_sound { Ok(()) } else { Err(None) }
        };
        match (0..self.chunks()).into_par_iter().try_for_each(test) {
            Ok(()) => Ok(true),
            Err(None) => Ok(false),
            Err(Some(stopped)) => Err(stopped),
        }
    }

    /// Whether the stored bytes of a chunk match their checksum.
    pub fn matches(&self, chunk: usize, stored: &[u8]) -> bool {
        self.record.sums[chunk] == crc(stored)
    }
}
