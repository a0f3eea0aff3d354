//! Rows of yes and no as Parquet packs them.

/// One bit-packed run of Parquet's hybrid encoding: its length in groups of eight, then the bits, low ones first.
pub fn run(values: impl Iterator<Item = bool>, count: usize) -> Vec<u8> {
    let groups = count.div_ceil(8);
    let mut out = Vec::with_capacity(groups + 5);
    let mut header = groups << 1 | 1;
    while header >= 0x80 {
        out.push(header as u8 | 0x80);
        header >>= 7;
    }
    out.push(header as u8);
    let (mut byte, mut filled) = (0, 0);
    for value in values {
        byte |= u8::from(value) << filled;
        filled += 1;
        if filled == 8 {
            out.push(byte);
            (byte, filled) = (0, 0);
        }
    }
    if filled > 0 {
        out.push(byte);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_stand_in_groups_of_eight() {
        let run_of = |text: &str| run(text.bytes().map(|bit| bit == b'1'), text.len());
        assert_eq!(run_of("10000001"), [0b11, 0x81]);
        assert_eq!(run_of("110000001"), [0b101, 0x03, 0x01]);
        assert_eq!(run_of(""), [0b01]);
        assert_eq!(run(std::iter::repeat_n(true, 1 << 10), 1 << 10)[..3], [0x81, 0x02, 0xff]);
    }
}
