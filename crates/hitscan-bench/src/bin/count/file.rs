//! Rays of a CSV file, as `hitscan cast --rays` takes them: columns by name, others ignored.

use std::path::Path;

use hitscan::Ray;

const COLUMNS: [&str; 6] = ["ox", "oy", "oz", "dx", "dy", "dz"];
const RANGE: [&str; 2] = ["t_min", "t_max"];

/// # Errors
/// The file, the line and what is wrong there, in one line.
pub fn read(path: &Path) -> Result<Vec<Ray>, String> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    parse(&text).map_err(|(line, error)| format!("{name}:{line}: {error}"))
}

/// Rays, or the line that is none and why.
fn parse(text: &str) -> Result<Vec<Ray>, (usize, String)> {
    let mut lines = text.lines().enumerate().map(|(number, line)| (number + 1, line));
    let header: Vec<&str> = lines.next().map_or("", |(_, line)| line).split(',').map(str::trim).collect();
    let place = |name: &str| header.iter().position(|&column| column == name);
    let mut columns = [0; 6];
    for (column, name) in columns.iter_mut().zip(COLUMNS) {
        *column = place(name).ok_or_else(|| {
            (1, format!("no column {name}; a header with {} is expected", COLUMNS.join(",")))
        })?;
    }
    let range = RANGE.map(place);
    let mut rays = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let cell = |column: usize| {
            let text = cells.get(column).copied().unwrap_or_default();
            text.parse::<f64>()
                .map_err(|_| (number, format!("{} is `{text}`; a number is expected", header[column])))
        };
        let mut values = [0.0; 6];
        for (value, column) in values.iter_mut().zip(columns) {
            *value = cell(column)?;
        }
        let [ox, oy, oz, dx, dy, dz] = values;
        let ends = [range[0].map_or(Ok(0.0), cell)?, range[1].map_or(Ok(f64::INFINITY), cell)?];
        let ray = Ray::new([ox, oy, oz], [dx, dy, dz]).and_then(|ray| ray.with_range(ends[0], ends[1]));
        rays.push(ray.map_err(|error| (number, error.to_string()))?);
    }
    if rays.is_empty() { Err((1, "no rays; a row a ray is expected".to_owned())) } else { Ok(rays) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name() {
        let rays = parse("id,dx,dy,dz,oz,oy,ox,t_max\n7,0,0,-1,3,2,1,9.5\n\n8,1,0,0,0,0,0,inf\n").unwrap();
        assert_eq!(rays.len(), 2);
        assert_eq!((rays[0].origin().to_array(), rays[0].dir().z), ([1.0, 2.0, 3.0], -1.0));
        assert_eq!([rays[0].t_min(), rays[0].t_max(), rays[1].t_max()], [0.0, 9.5, f64::INFINITY]);
    }

    #[test]
    fn refusals_say_where_and_what_is_expected() {
        let header = "ox,oy,oz,dx,dy,dz\n";
        let refusal = |text: &str| parse(text).unwrap_err();
        assert_eq!(
            refusal("ox,oy\n1,2\n"),
            (1, "no column oz; a header with ox,oy,oz,dx,dy,dz is expected".to_owned())
        );
        assert_eq!(
            refusal(&format!("{header}0,0,0,1,x,0\n")),
            (2, "dy is `x`; a number is expected".to_owned())
        );
        assert_eq!(refusal(&format!("{header}0,0,0,1\n")), (2, "dy is ``; a number is expected".to_owned()));
        assert_eq!(refusal(header), (1, "no rays; a row a ray is expected".to_owned()));
        assert_eq!(refusal(&format!("{header}0,0,0,0,0,0\n")).0, 2);
    }
}
