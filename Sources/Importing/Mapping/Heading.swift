import Foundation
import Model

/// The names of an external table's columns and their positions.
struct Heading {
    /// Row of the sheet with the names; 0 if the file itself names its columns, or they have no
    /// names.
    let row: Int
    let names: [String]
    private var columns: [String: Int]
    /// Columns by exact name, because `../@codigo` and `@codigo` have the same normalised name.
    private let exact: [String: Int]

    init(row: Int, names: [String]) {
        self.row = row
        self.names = names
        exact = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        columns = Dictionary(
            names.enumerated().compactMap { index, name in
                let normal = ColumnName.normal(name)
                return normal.isEmpty ? nil : (normal, index)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// A heading of several rows: a column's name is the sequence of all words above it. If the
    /// lowest word occurs only once, the column can also be found by that word alone.
    init(row: Int, lines: [[String]]) {
        let names = HeadingLines.names(lines)
        var last: [String: [Int]] = [:]
        for (column, name) in HeadingLines.lastNames(lines).enumerated() {
            last[ColumnName.normal(name), default: []].append(column)
        }
        self.init(row: row, names: names)
        for (name, places) in last where places.count == 1 && !name.isEmpty && columns[name] == nil {
            columns[name] = places[0]
        }
    }

    subscript(name: String) -> Int? { exact[name] ?? columns[ColumnName.normal(name)] }

    /// The columns with some names, in the order of the names.
    func places(of names: [String]) -> [Int] { names.compactMap { self[$0] } }

    /// The number of normalised names that exist as columns.
    func count(of wanted: Set<String>) -> Int { columns.keys.count(where: wanted.contains) }

    /// The name of a column: its heading, or its letters.
    func name(of column: Int) -> String {
        guard names.indices.contains(column), !names[column].isEmpty else { return ColumnName.letters(column) }
        return names[column]
    }
}

/// Finds files that an external table refers to by name: below a folder, regardless of case, and
/// never through a symbolic link.
enum FileLocation {
    /// The path of the file whose name has these components. The last components alone are enough,
    /// because old programs stored absolute paths of their own computer.
    static func find(_ parts: [String], below folder: String) -> String? {
        for start in parts.indices {
            if let path = exact(Array(parts[start...]), below: folder) { return path }
        }
        return nil
    }

    private static func exact(_ parts: [String], below folder: String) -> String? {
        var path = folder
        for (index, part) in parts.enumerated() {
            guard part != ".", part != "..", !part.isEmpty else { return nil }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            guard
                let name = names.contains(part)
                    ? part : names.sorted().first(where: { $0.lowercased() == part.lowercased() })
            else { return nil }
            path += "/" + name
            let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            guard type == (index == parts.count - 1 ? .typeRegular : .typeDirectory) else { return nil }
        }
        return path
    }
}

/// Reports cells that contain several values if a record can store only one. The mapping uses the
/// first.
struct SeveralValues {
    private let columns: [(name: String, places: [Int], separator: String)]

    init(_ several: [ImportMapping.Several], _ heading: Heading) {
        columns = several.compactMap { one in
            let places = heading.places(of: one.headings)
            return places.isEmpty ? nil : (one.headings[0], places, one.separator)
        }
    }

    var isEmpty: Bool { columns.isEmpty }

    func findings(in row: ForeignRow, at place: Place) -> [Finding] {
        columns.compactMap { name, places, separator in
            guard let text = row.first(places)?.text, text.contains(separator) else { return nil }
            let values = text.components(separatedBy: separator).map { $0.trimmingCharacters(in: .whitespaces) }.filter
            { !$0.isEmpty }
            guard values.count > 1 else { return nil }
            return Finding(
                "IMPORT-SEVERAL", place: place,
                arguments: [
                    "name": name, "value": String(values[0].prefix(80)),
                    "others": String(values.dropFirst().joined(separator: ", ").prefix(200)),
                ])
        }
    }
}
