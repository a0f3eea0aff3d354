//! GDAL's spelling of options: several letters behind one dash.

use std::ffi::OsString;

/// As `gdal_viewshed` has them, and as they are called here.
const SPELLINGS: [(&str, &str); 10] = [
    ("-ox", "--ox"),
    ("-oy", "--oy"),
    ("-oz", "--oz"),
    ("-tz", "--tz"),
    ("-md", "--md"),
    ("-cc", "--cc"),
    ("-vv", "--vv"),
    ("-iv", "--iv"),
    ("-ov", "--ov"),
    ("-a_nodata", "--a_nodata"),
];

/// A command line, its options spelled with two dashes. Only words of `viewshed` are changed, of which none begins with
/// the same letters in another meaning but `-o` and a file's name `x`, `y`, `z` or `v`, which needs a space.
pub fn spelled_out(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let words: Vec<OsString> = words.collect();
    if !words.iter().skip(1).take(4).any(|word| word == "viewshed") {
        return words;
    }
    let spelled = |word: OsString| {
        let text = word.to_str().unwrap_or_default();
        let (name, value) = text.find('=').map_or((text, ""), |at| text.split_at(at));
        let known = SPELLINGS.iter().find(|(gdal, _)| name == *gdal);
        known.map(|(_, ours)| OsString::from(format!("{ours}{value}"))).unwrap_or(word)
    };
    words.into_iter().map(spelled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_of_viewshed_change() {
        let spelled = |line: &str| {
            let words = spelled_out(line.split(' ').map(OsString::from));
            words.join(&OsString::from(" ")).into_string().unwrap()
        };
        let line = "hitscan viewshed a.tif -ox 1 -oy -2 -a_nodata 9 -o x";
        assert_eq!(spelled(line), "hitscan viewshed a.tif --ox 1 --oy -2 --a_nodata 9 -o x");
        assert_eq!(spelled("hitscan -q viewshed a -md 5 -tz=-1"), "hitscan -q viewshed a --md 5 --tz=-1");
        let line = "hitscan -q --threads 2 viewshed a -oz 0";
        assert_eq!(spelled(line), "hitscan -q --threads 2 viewshed a --oz 0");
        assert_eq!(spelled("hitscan render a -ox"), "hitscan render a -ox");
    }
}
