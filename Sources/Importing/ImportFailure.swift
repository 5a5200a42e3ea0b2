package import Model

/// Reason why a source cannot be imported at all. Faults of single rows are findings, not failures.
package typealias ImportFailure = DeclaredFailure<Importer>

extension ImportFailure {
    package static func notFound(path: String) -> Self { Self("IMPORT-NOT-FOUND", .noInput, file: path) }
    package static func unreadable(path: String) -> Self { Self("IMPORT-FILE-UNREADABLE", .inputOutput, file: path) }
    /// The file was written to or replaced while it was read.
    package static func changed(path: String) -> Self { Self("IMPORT-CHANGED", .busy, file: path) }
    package static func unknownKind(path: String, known: [String]) -> Self {
        Self("IMPORT-KIND", .badInput, file: path, ["known": known])
    }
    /// A picture, a PDF, an archive: users may mistake it for a table, but no reader accepts it.
    package static func tableless(path: String, found: String) -> Self {
        Self("IMPORT-TABLELESS", .badInput, file: path, ["found": found])
    }
    /// A ZIP archive that is neither a package nor a workbook.
    package static func archive(path: String) -> Self { Self("IMPORT-ARCHIVE", .badInput, file: path) }
    /// A workbook that this program made; `name` is that of the export or report.
    package static func ownBook(path: String, name: String) -> Self {
        Self("IMPORT-OWN-BOOK", .badInput, file: path, ["name": name])
    }
    /// Mappings do not read JSON.
    package static func mappingJSON(path: String, mapping: String) -> Self {
        Self("IMPORT-MAPPING-JSON", .badInput, file: path, ["mapping": mapping])
    }
    /// A file without a byte, or with only white space.
    package static func empty(path: String) -> Self { Self("IMPORT-EMPTY", .badInput, file: path) }
    package static func invalidManifest(path: String, reason: String) -> Self {
        Self("IMPORT-MANIFEST", .badInput, file: path, ["reason": reason])
    }
    /// `manifest.json` is not valid JSON; the place is that of the mistake.
    package static func manifestNotJSON(_ place: Place) -> Self {
        Self(
            "IMPORT-MANIFEST-JSON", .badInput,
            [
                "path": place.file ?? "", "line": place.line.map(String.init) ?? "?",
                "column": place.column.map(String.init) ?? "?",
            ], at: place)
    }
    package static func otherPack(path: String, found: String, expected: String) -> Self {
        Self("IMPORT-OTHER-PACK", .badInput, file: path, ["found": found, "expected": expected])
    }
    /// A drawing or an app's folder, but the pack does not define how to import it.
    package static func noPlans(path: String, pack: String) -> Self {
        Self("IMPORT-NO-PLANS", .badInput, file: path, ["pack": pack])
    }
    package static func newerPackage(path: String, found: String, known: String) -> Self {
        Self("IMPORT-NEWER", .badInput, file: path, ["found": found, "known": known])
    }
    package static func escapingPath(path: String, name: String) -> Self {
        Self("IMPORT-PATH", .badInput, file: path, ["name": name])
    }
    package static func brokenFile(_ place: Place, reason: String) -> Self {
        Self("IMPORT-BROKEN", .badInput, ["reason": reason], at: place)
    }
    package static func unknownEntity(path: String, name: String, known: [String]) -> Self {
        Self("IMPORT-ENTITY", .usage, file: path, ["name": name, "known": known])
    }
    package static func photoStore(path: String) -> Self { Self("IMPORT-PHOTO-STORE", .cannotCreateOutput, file: path) }
    /// A table lacks columns that are needed to identify its rows.
    package static func missingColumns(path: String, table: String, columns: [String]) -> Self {
        Self("IMPORT-COLUMNS", .badInput, file: path, ["table": table, "columns": columns.joined(separator: "; ")])
    }
    /// The file has none of the tables that the mapping names.
    /// A file without tables has no problem of names, nor one with only hidden tables if the mapping
    /// reads the first table.
    package static func noTable(path: String, mapping: String, wanted: [String], found: [String]) -> Self {
        Self(
            found.isEmpty || wanted.isEmpty ? "IMPORT-NO-TABLES" : "IMPORT-NO-TABLE", .badInput, file: path,
            ["mapping": mapping, "wanted": wanted, "found": found.listed()])
    }
    /// The tables do not follow the pack, the user named no mapping, and several mappings fit.
    package static func mappingNeeded(path: String, kind: String, fitting: [String]) -> Self {
        Self("IMPORT-MAPPING-NEEDED", .usage, file: path, ["kind": kind, "known": fitting])
    }
    /// No mapping fits: those for this kind of file need other tables or columns.
    package static func noMapping(path: String, kind: String, known: [String]) -> Self {
        Self(
            "IMPORT-NO-MAPPING", .usage, file: path,
            ["kind": kind, "known": known.isEmpty ? "—" : known.joined(separator: ", ")])
    }
    /// Whether the file waits for a mapping to be named or written.
    package var lacksMapping: Bool { ["IMPORT-MAPPING-NEEDED", "IMPORT-NO-MAPPING"].contains(code) }
    /// A file of decisions with unknown or impossible contents.
    package static func decisions(path: String, reason: String) -> Self {
        Self("IMPORT-DECISIONS", .badInput, file: path, ["reason": reason])
    }
    package static func unknownMapping(name: String, known: [String]) -> Self {
        Self("IMPORT-MAPPING", .usage, ["name": name, "known": known])
    }
    /// The mapping names no project, and the import was not given one; `known` are the actor's.
    package static func projectNeeded(path: String, mapping: String, known: [String]) -> Self {
        Self("IMPORT-PROJECT-NEEDED", .usage, file: path, ["mapping": mapping, "known": known])
    }
    /// The mapping names a different project from the one given to the import.
    package static func otherProject(path: String, mapping: String, found: String, given: String) -> Self {
        Self("IMPORT-PROJECT-DIFFERS", .usage, file: path, ["mapping": mapping, "found": found, "given": given])
    }
    /// Rejected rows were read with a mapping whose file no longer exists.
    package static func mappingGone(path: String) -> Self { Self("IMPORT-MAPPING-GONE", .noInput, file: path) }
    /// A reader's result differs from an independent count: `what` is `table`, `rows`, `filled`,
    /// `numbers` or `sum`.
    package static func gap(
        _ place: Place, column: String, what: String, expected: String, found: String, more: Int
    ) -> Self {
        Self(
            "IMPORT-GAP", .internalError,
            [
                "path": place.file ?? "", "table": place.sheet ?? "", "column": column, "what": what,
                "expected": expected, "found": found, "more": more,
            ], at: place)
    }
    /// The mapping is meant for other kinds of files.
    package static func mappingKind(path: String, mapping: String, found: String, accepted: [String]) -> Self {
        Self("IMPORT-MAPPING-KIND", .badInput, file: path, ["mapping": mapping, "found": found, "known": accepted])
    }
    /// Rows of one table that refer to one another in a cycle, in the order of the references. The
    /// place is that of the cycle's first row in the source.
    package static func cycle(_ place: Place, entity: String, name: String, ring: [String]) -> Self {
        Self(
            "IMPORT-CYCLE", .badInput,
            [
                "entity": entity, "name": name,
                "ring": (ring.prefix(8) + (ring.count > 8 ? ["…"] : ring.prefix(1))).joined(separator: " → "),
            ], at: place)
    }
    /// Whether another mapping may fit the file.
    var isMisfit: Bool {
        ["IMPORT-COLUMNS", "IMPORT-NO-TABLES", "IMPORT-NO-TABLE", "IMPORT-MAPPING-KIND", "IMPORT-PROJECT-DIFFERS"]
            .contains(code)
    }
    /// No mapping can be suggested: no table of the file seems to contain what the pack defines.
    package static func nothingToSuggest(
        path: String, pack: String, columns: [String], named: [String], lacking: [String]
    ) -> Self {
        Self(
            "IMPORT-SUGGEST-NOTHING", .badInput, file: path,
            [
                "pack": pack, "columns": columns.prefix(40).joined(separator: ", "),
                "named": named.isEmpty ? "—" : named.prefix(12).joined(separator: ", "),
                "lacking": lacking.isEmpty ? "—" : lacking.joined(separator: ", "),
            ])
    }
}
