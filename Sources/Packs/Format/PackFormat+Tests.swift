internal import Model

extension PackFormat {
    static let test = ObjectShape(
        "test", "tests/NAME.yaml: rows and files that go in, findings and sheets that come out. fichero doctor runs it.",
        [
            .required("test", .scalar(.title), "The file's name."),
            .optional("asOf", .text, "The clock of the test: 2026-01-31T12:00:00Z."),
            .optional("rows", .map(.list(.map(.oneOrMany(.scalar(.anyText))), atLeast: 1)), "Rows by entity, parents first. A value of type uuid may be any name."),
            .optional("files", .list(.object(testFile), atLeast: 1), "Files that are imported after the rows."),
            .optional("finds", .list(.object(testFinding)), "All findings that there are then; none by default."),
            .optional("ignores", .list(.scalar(.code), atLeast: 1), "Codes whose findings do not matter here."),
            .optional("gives", .list(.object(testSheet), atLeast: 1), "Sheets of exports that come out."),
        ])

    static let testFile = ObjectShape(
        "testFile", "A file with its content.",
        [
            .required("name", .text, "Its name; the ending says the kind."),
            .required("text", .text, "What it holds."),
            .optional("mapping", .scalar(.title), "The mapping; the one that fits by default."),
            .optional("entity", .name, "The table that its rows belong to."),
            .optional("options", .table, "The options of its mapping, as an import gives them."),
        ])

    static let testFinding = ObjectShape(
        "testFinding", "A finding that there must be.",
        [
            .required("code", .scalar(.code), "Its code."),
            .optional("row", .text, "The row, by its id in the test."),
            .optional("key", .text, "The row, as people read it: P-1 / C-01."),
        ])

    static let testSheet = ObjectShape(
        "testSheet", "A sheet of an export.",
        [
            .required("export", .scalar(.title), "The export."),
            .required("sheet", .scalar(.title), "The sheet."),
            .required("csv", .text, "What it holds, as CSV in the standard dialect and the pack's first language."),
        ])
}
