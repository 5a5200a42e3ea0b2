import Model

/// What the author of a pack may want to know of it, and what is no mistake.
struct PackAdvice {
    let pack: Pack
    let language: Language

    /// Columns of a sheet that have the same heading: a workbook tells them apart by a number, and a
    /// reader cannot.
    var lines: [String] {
        pack.exports.flatMap { export in
            export.sheets.flatMap { sheet in
                let columns = pack.columns(of: sheet, in: language, isAnonymous: export.isAnonymous).compactMap(\.self)
                let alike = Dictionary(grouping: columns) { $0.header.lowercased() }.values.filter { $0.count > 1 }
                return alike.sorted { $0[0].name < $1[0].name }.map { columns in
                    pack.texts.text(
                        "cli.doctor.columns", in: language,
                        [
                            "export": export.name, "sheet": sheet.name, "label": columns[0].header, "columns": columns.map(\.name).joined(separator: ", "),
                        ])
                }
            }
        }
    }
}
