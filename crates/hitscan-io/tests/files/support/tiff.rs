//! TIFF files, field by field: sound ones, and ones that no encoder would write.

use std::collections::BTreeMap;

/// The values of a field.
#[derive(Clone)]
pub enum Values {
    Text(&'static str),
    Shorts(Vec<u16>),
    Longs(Vec<u32>),
    Doubles(Vec<f64>),
}

/// An image of one band.
#[derive(Clone)]
pub struct Tiff {
    pub big_endian: bool,
    /// Whether it is a BigTIFF.
    pub big: bool,
    pub fields: BTreeMap<u16, Values>,
    /// The strips or tiles; `None` is one that a sparse file leaves out.
    pub chunks: Vec<Option<Vec<u8>>>,
    /// Fields of a second image.
    pub second: Option<BTreeMap<u16, Values>>,
}

/// How samples are written.
#[derive(Clone, Copy)]
pub enum Kind {
    Unsigned(u16),
    Signed(u16),
    Float(u16),
}

impl Kind {
    fn bits(self) -> u16 {
        let (Kind::Unsigned(bits) | Kind::Signed(bits) | Kind::Float(bits)) = self;
        bits
    }

    fn bytes(self, sample: f64, big_endian: bool) -> Vec<u8> {
        let bits = match self {
            Kind::Unsigned(_) => sample as u64,
            Kind::Signed(_) => sample as i64 as u64,
            Kind::Float(16) => u64::from(half::f16::from_f64(sample).to_bits()),
            Kind::Float(32) => u64::from((sample as f32).to_bits()),
            Kind::Float(_) => sample.to_bits(),
        };
        number(bits, usize::from(self.bits() / 8), big_endian)
    }
}

/// A number of `size` bytes.
fn number(value: u64, size: usize, big_endian: bool) -> Vec<u8> {
    if big_endian { value.to_be_bytes()[8 - size..].to_vec() } else { value.to_le_bytes()[..size].to_vec() }
}

impl Tiff {
    /// Uncompressed, in one strip, without a georeference.
    pub fn new(columns: u32, rows: u32, kind: Kind, samples: &[f64]) -> Tiff {
        Tiff::of(columns, rows, kind, samples, false)
    }

    /// The same with numbers in either byte order.
    pub fn of(columns: u32, rows: u32, kind: Kind, samples: &[f64], big_endian: bool) -> Tiff {
        let format = match kind {
            Kind::Unsigned(_) => 1,
            Kind::Signed(_) => 2,
            Kind::Float(_) => 3,
        };
        let data = samples.iter().flat_map(|&sample| kind.bytes(sample, big_endian)).collect();
        Tiff { big_endian, big: false, fields: BTreeMap::new(), chunks: vec![Some(data)], second: None }
            .longs(256, &[columns])
            .longs(257, &[rows])
            .shorts(258, &[kind.bits()])
            .shorts(259, &[1])
            .shorts(262, &[1])
            .shorts(277, &[1])
            .longs(278, &[rows])
            .shorts(339, &[format])
    }

    /// A pixel scale, a tiepoint at the upper left corner of the raster, and metres.
    pub fn at(self, x: f64, y: f64, cell: f64) -> Tiff {
        self.doubles(33550, &[cell, cell, 0.0]).doubles(33922, &[0.0, 0.0, 0.0, x, y, 0.0]).keys(&[
            (1024, 1),
            (1025, 1),
            (3072, 32632),
            (3076, 9001),
        ])
    }

    /// Keys of the coordinate system.
    pub fn keys(self, keys: &[(u16, u16)]) -> Tiff {
        let mut shorts = vec![1, 1, 0, keys.len() as u16];
        shorts.extend(keys.iter().flat_map(|&(key, value)| [key, 0, 1, value]));
        self.shorts(34735, &shorts)
    }

    /// Cuts the one strip into tiles, padded with a sample of ones in every byte.
    pub fn tiled(mut self, width: usize, length: usize) -> Tiff {
        let one = |values: &Values| match values {
            Values::Shorts(shorts) => shorts[0] as usize,
            Values::Longs(longs) => longs[0] as usize,
            _ => 0,
        };
        let [columns, rows, bits] = [256, 257, 258].map(|tag| one(&self.fields[&tag]));
        let size = bits / 8;
        let data = self.chunks.remove(0).unwrap();
        for top in (0..rows).step_by(length) {
            for left in (0..columns).step_by(width) {
                let mut tile = vec![1; width * length * size];
                for row in 0..length.min(rows - top) {
                    let count = width.min(columns - left) * size;
                    let from = ((top + row) * columns + left) * size;
                    tile[row * width * size..][..count].copy_from_slice(&data[from..from + count]);
                }
                self.chunks.push(Some(tile));
            }
        }
        self.fields.remove(&278);
        self.longs(322, &[width as u32]).longs(323, &[length as u32])
    }

    pub fn doubles(mut self, tag: u16, values: &[f64]) -> Tiff {
        self.fields.insert(tag, Values::Doubles(values.to_vec()));
        self
    }

    pub fn shorts(mut self, tag: u16, values: &[u16]) -> Tiff {
        self.fields.insert(tag, Values::Shorts(values.to_vec()));
        self
    }

    pub fn longs(mut self, tag: u16, values: &[u32]) -> Tiff {
        self.fields.insert(tag, Values::Longs(values.to_vec()));
        self
    }

    pub fn text(mut self, tag: u16, text: &'static str) -> Tiff {
        self.fields.insert(tag, Values::Text(text));
        self
    }

    pub fn without(mut self, tag: u16) -> Tiff {
        self.fields.remove(&tag);
        self
    }

    pub fn bytes(&self) -> Vec<u8> {
        let offset_size = if self.big { 8 } else { 4 };
        let mut file = if self.big_endian { b"MM".to_vec() } else { b"II".to_vec() };
        if self.big {
            [43, 8, 0].iter().for_each(|&n| file.extend(self.number(n, 2)));
        } else {
            file.extend(self.number(42, 2));
        }
        let pointer = file.len();
        file.extend(self.number(0, offset_size));

        let (mut offsets, mut counts) = (Vec::new(), Vec::new());
        for chunk in &self.chunks {
            offsets.push(chunk.as_ref().map_or(0, |_| file.len() as u32));
            counts.push(chunk.as_ref().map_or(0, |chunk| chunk.len() as u32));
            file.extend(chunk.iter().flatten());
        }
        let mut fields = self.fields.clone();
        let [offset_tag, count_tag] = if fields.contains_key(&322) { [324, 325] } else { [273, 279] };
        fields.entry(offset_tag).or_insert(Values::Longs(offsets));
        fields.entry(count_tag).or_insert(Values::Longs(counts));
        let mut pointer = self.directory(&mut file, pointer, &fields);
        if let Some(second) = &self.second {
            pointer = self.directory(&mut file, pointer, second);
        }
        file[pointer..pointer + offset_size].fill(0);
        file
    }

    /// Appends a directory, and has the number at `pointer` lead to it; gives where its own pointer is.
    fn directory(&self, file: &mut Vec<u8>, pointer: usize, fields: &BTreeMap<u16, Values>) -> usize {
        let offset_size = if self.big { 8 } else { 4 };
        let mut entries = Vec::new();
        for (&tag, values) in fields {
            let (kind, count, data) = match values {
                Values::Text(text) => (2, text.len() + 1, [text.as_bytes(), &[0]].concat()),
                Values::Shorts(shorts) => {
                    (3, shorts.len(), shorts.iter().flat_map(|&n| self.number(n.into(), 2)).collect())
                }
                Values::Longs(longs) => {
                    (4, longs.len(), longs.iter().flat_map(|&n| self.number(n.into(), 4)).collect())
                }
                Values::Doubles(doubles) => {
                    (12, doubles.len(), doubles.iter().flat_map(|&n| self.number(n.to_bits(), 8)).collect())
                }
            };
            entries.extend(self.number(tag.into(), 2));
            entries.extend(self.number(kind, 2));
            entries.extend(self.number(count as u64, offset_size));
            if data.len() <= offset_size {
                entries.extend([data.as_slice(), &vec![0; offset_size - data.len()]].concat());
            } else {
                entries.extend(self.number(file.len() as u64, offset_size));
                file.extend(data);
            }
        }
        let at = self.number(file.len() as u64, offset_size);
        file[pointer..pointer + offset_size].copy_from_slice(&at);
        file.extend(self.number(fields.len() as u64, if self.big { 8 } else { 2 }));
        file.extend(entries);
        let next = file.len();
        file.extend(self.number(0, offset_size));
        next
    }

    fn number(&self, value: u64, size: usize) -> Vec<u8> {
        number(value, size, self.big_endian)
    }
}
