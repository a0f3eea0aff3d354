//! The examples of docs/cli.md print what the document says.

#[test]
fn examples() {
    trycmd::TestCases::new()
        .register_bin("hitscan", std::path::Path::new(env!("CARGO_BIN_EXE_hitscan")))
        .case("../../docs/cli.md");
}
