//! What the pictures have in common.

/// Pixels across.
pub const WIDTH: f64 = 760.0;

/// Free pixels at the right.
pub const RIGHT: f64 = 30.0;

/// A white sheet with dark letters, to be ended by `</svg>`.
pub fn sheet(title: &str, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"#333333\">\n<title>{title}</title>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n"
    )
}
