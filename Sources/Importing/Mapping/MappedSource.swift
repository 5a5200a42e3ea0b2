import JSONReading
package import Model

/// A foreign file seen through a mapping: a source like the others, each target of each table one table of it.
package final class MappedSource: Source {
    /// What became of the rows below the heading of one table for one target: read = handed + faulty + repeated + filtered + blank.
    package struct Count: Sendable, Hashable {
        package var table: String
        package var entity: String
        package var read = 0
        package var handed = 0
        package var faulty = 0
        package var repeated = 0
        package var filtered = 0
        package var blank = 0
    }

    /// The id of the replica's row with this natural key, if it has one.
    package typealias Existing = (_ entity: String, _ key: [String]) -> String?

    package private(set) var tables: [SourceTable] = []
    package let photos: [SourcePhoto] = []
    package let findings: [Finding] = []
    package private(set) var counts: [Count] = []
    /// Tables of the file that the mapping has no part for: whoever imports must tell of them.
    package private(set) var unmapped: [String] = []

    package init(
        _ file: any TableFile, path: String, mapping: ImportMapping, pack: String, existing: @escaping Existing = { _, _ in nil }
    ) {
        var mapped: Set<String> = []
        for part in mapping.tables {
            let names = Set(part.names.map(ColumnName.normal))
            let matching = names.isEmpty ? Array(file.tables.filter { !$0.isHidden }.prefix(1))
                : file.tables.filter { names.contains(ColumnName.normal($0.name)) }
            mapped.formUnion(matching.map(\.name))
            for target in part.targets {
                for table in matching {
                    let rows = MappedRows(
                        table: table, part: part, target: target, lookups: mapping.lookups, path: path, pack: pack, existing: existing)
                    tables.append(SourceTable(name: target.entity, file: path, statedRows: nil) { [weak self] body in
                        let count = try rows.forEach(body)
                        self?.counts.append(count)
                    })
                }
            }
        }
        unmapped = file.tables.map(\.name).filter { !mapped.contains($0) }
    }
}
