//! PNG files, chunk by chunk: sound ones, and ones that no encoder would write.

/// The payload of IHDR: colour 0 is grey, 2 RGB, 3 a palette, 4 grey with alpha, 6 RGB with alpha.
pub fn header(columns: u32, rows: u32, bits: u8, colour: u8) -> [u8; 13] {
    let mut header = [0; 13];
    header[..4].copy_from_slice(&columns.to_be_bytes());
    header[4..8].copy_from_slice(&rows.to_be_bytes());
    header[8..10].copy_from_slice(&[bits, colour]);
    header
}

/// A picture of these rows, each behind the number of its filter.
pub fn picture(header: [u8; 13], rows: &[u8]) -> Vec<u8> {
    file(&header, &zlib(rows))
}

/// A picture of these payloads, with right checksums.
pub fn file(header: &[u8], data: &[u8]) -> Vec<u8> {
    let signature = b"\x89PNG\r\n\x1a\n".to_vec();
    [signature, chunk(b"IHDR", header), chunk(b"IDAT", data), chunk(b"IEND", &[])].concat()
}

/// Length, name, payload and checksum.
pub fn chunk(name: &[u8; 4], payload: &[u8]) -> Vec<u8> {
    let named = [name, payload].concat();
    let checksum = !named.iter().fold(!0u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| crc >> 1 ^ (0xedb8_8320 & 0u32.wrapping_sub(crc & 1)))
    });
    [&(payload.len() as u32).to_be_bytes(), &*named, &checksum.to_be_bytes()].concat()
}

/// Stored, not compressed.
pub fn zlib(data: &[u8]) -> Vec<u8> {
    let (mut a, mut b) = (1u32, 0u32);
    for &byte in data {
        a = (a + u32::from(byte)) % 65521;
        b = (b + a) % 65521;
    }
    let length = data.len() as u16;
    let start = [&[0x78, 0x01, 1][..], &length.to_le_bytes(), &(!length).to_le_bytes()].concat();
    [start, data.to_vec(), (b << 16 | a).to_be_bytes().to_vec()].concat()
}
