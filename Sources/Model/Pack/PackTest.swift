/// A pack's own test: rows and files go in, findings and sheets come out. `fichero doctor` runs it
/// on a replica that is made for it.
package struct PackTest: Sendable, Hashable {
    /// A row as the test writes it: fields with their texts, or lists of texts. A value of type
    /// uuid that is no UUID is a name, of which an id is made.
    package struct Row: Sendable, Hashable {
        package var entity: String
        package var values: [PackNode.Pair]
    }

    /// A file as it would be imported, with its content.
    package struct File: Sendable, Hashable {
        package var name: String
        package var text: String
        package var mapping: String?
        package var entity: String?
        package var options: [String: String] = [:]
    }

    /// A finding that there must be: of a row, by its name in the test or by its key, if one is
    /// given.
    package struct Expected: Sendable, Hashable {
        package var code: String
        package var row: String?
        package var key: String?
    }

    /// A sheet of an export, as CSV.
    package struct Sheet: Sendable, Hashable {
        package var export: String
        package var sheet: String
        package var csv: String
    }

    package var name: String
    /// The clock of the test; nil: that of the run, by default noon of 1 January 2026, UTC.
    package var asOf: String?
    package var rows: [Row]
    package var files: [File]
    package var finds: [Expected]
    /// Codes whose findings do not matter here.
    package var ignores: Set<String>
    package var gives: [Sheet]
}

extension PackTest {
    /// Of `tests/*.yaml`.
    package init?(_ node: PackNode) {
        guard let name = node.text("test") else { return nil }
        self.init(
            name: name, asOf: node.text("asOf"),
            rows: node.pairs("rows").flatMap { pair in pair.value.items.map { Row(entity: pair.key, values: $0.pairs) } },
            files: node.items("files").compactMap { file in
                file.text("name").map {
                    File(
                        name: $0, text: file.text("text") ?? "", mapping: file.text("mapping"), entity: file.text("entity"), options: file["options"]?.table ?? [:])
                }
            },
            finds: node.items("finds").compactMap { item in item.text("code").map { Expected(code: $0, row: item.text("row"), key: item.text("key")) } },
            ignores: Set(node.texts("ignores")),
            gives: node.items("gives").map { Sheet(export: $0.text("export") ?? "", sheet: $0.text("sheet") ?? "", csv: $0.text("csv") ?? "") })
    }
}
