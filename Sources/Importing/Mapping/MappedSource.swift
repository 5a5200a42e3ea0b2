import Foundation
package import Model

/// A source that reads an external file through a mapping.
package final class MappedSource: Source {
    package private(set) var tables: [SourceTable] = []
    /// Photos of the rows that have been read so far.
    package private(set) var photos: [SourcePhoto] = []
    package private(set) var findings: [Finding] = []

    /// `xlsx registro-legado`: the kind of file and the mapping, as recorded with the import.
    package let format: String
    let path: String
    let pack: Pack
    package let mapping: ImportMapping
    let keys: any RecordKeys
    /// Readable names of values that the mapping supplies without the file: for the project's id,
    /// its code.
    let names: [String: String]
    let words: ConversionWords
    private let file: any TableFile
    /// Whether the file states its lists, so that an empty one says that there is nothing.
    var isOfLists: Bool { file is JSONTables }
    /// For rejected rows: the reason why their source cannot be read.
    private let trouble: RejectOrigin.Trouble?
    private let formLimits: FormLimits
    private let lookups: MappedLookups
    private var tableUses: [ColumnUse] = []
    /// Records of used cells, complete after the reading: one for each table that a part of the
    /// mapping reads, and for each lookup table.
    package var uses: [ColumnUse] { tableUses + lookups.uses }
    package let countable: [CountableFile]
    private var formUses: [String: FormUse] = [:]
    private var reads = MappedReads()
    /// For rejected rows of forms: the pictures in the file itself.
    private(set) lazy var pictures = FormPictures(file, limits: formLimits)

    /// Size limit, in bytes, of a lookup table in memory.
    private static let lookupBytes = 512 << 20

    /// Checks the tables of a file and their headings, so that a file that does not match its
    /// mapping fails before any row is read.
    ///
    /// Throws `ImportFailure.missingColumns`, `ImportFailure.noTable` and the errors of reading the
    /// file.
    package init(
        _ file: any TableFile, path: String, mapping: ImportMapping, pack: Pack, keys: any RecordKeys,
        limits: TableLimits = TableLimits(),
        isWithoutMemos: Bool = false
    ) throws {
        let file = try Self.keyed(file, by: mapping)
        countable = file.countable(path: path, isWithoutMemos: isWithoutMemos)
        formLimits = limits.form
        (self.file, self.path, self.pack, self.keys, self.mapping) = (file, path, pack, keys, mapping)
        trouble = nil
        lookups = MappedLookups(mapping, pack)
        names = mapping.projectID.flatMap { id in mapping.projectCode.map { [id: $0] } } ?? [:]
        format = file.contentKind + " " + mapping.identity
        findings = file.findings
        words = ConversionWords(
            lookups: mapping.lookups, blanks: mapping.blanks, zone: pack.officeZone)
        let tabled = try addTables()
        let formed = try addForms(besides: tabled)
        guard !tables.isEmpty else {
            let wanted = mapping.tables.flatMap(\.names) + mapping.forms.flatMap(\.names)
            throw ImportFailure.noTable(
                path: path, mapping: mapping.name, wanted: wanted, found: file.tables.map(\.name))
        }
        reportUnmapped(besides: tabled.union(formed))
    }

    /// Adds the tables that the mapping's parts read, and returns their names.
    private func addTables() throws -> Set<String> {
        var names: Set<String> = []
        for (index, part) in mapping.tables.enumerated() {
            let matching = Self.tables(of: file, for: part)
            names.formUnion(matching.map(\.name))
            let repeated = part.targets.map { _ in RepeatedRows() }
            reads.repeated += repeated
            for table in matching {
                let mapped = MappedTable(
                    table: table, part: part, source: self,
                    addresses: part.targets.indices.map { "\(mapping.identity)/\(index)/\($0)" },
                    sheet: table.file != nil || (file.tables.count == 1 && table.columns == nil) ? nil : table.name,
                    repeated: repeated, isOfFile: true)
                try checkHeading(of: mapped, mapping)
                if let use = mapped.use { tableUses.append(use) }
                // Several parts may read one table, each with its own conditions for rows.
                reads.add(mapped, of: table.name, file: table.file ?? path)
                tables.append(
                    SourceTable(name: part.targets.map(\.entity).joined(separator: ", "), file: path, read: mapped.read)
                )
            }
        }
        return names
    }

    /// Adds the rows of the mapping's forms, and returns the names of the sheets with forms.
    private func addForms(besides tabled: Set<String>) throws -> Set<String> {
        var forms: [FormReader] = []
        var names: Set<String> = []
        for (index, form) in mapping.forms.enumerated() {
            let others = mapping.forms.enumerated().filter { $0.offset != index }.map(\.element)
            let reading = try FormReader(form, of: file, path: path, limits: formLimits, others: others, tabled: tabled)
            forms.append(reading)
            names.formUnion(add(reading, "\(mapping.identity)/form\(index)"))
        }
        findings += FormLeftovers.findings(forms, path: path, alsoRead: tabled, ignored: mapping.ignores)
        return names
    }

    /// Reports the file's tables that nothing reads and that the mapping does not leave out.
    private func reportUnmapped(besides mapped: Set<String>) {
        for table in file.tables where !mapped.contains(table.name) && !mapping.ignores(table.name) {
            guard !mapping.tables.contains(where: { $0.leavesOut(table.name) }), !lookups.takeUse(of: table, path: path)
            else { continue }
            findings.append(Finding(
                "IMPORT-UNMAPPED-TABLE", place: Place(file: path, sheet: table.name),
                arguments: ["name": table.name, "mapping": mapping.name]))
        }
    }

    /// Whether rows replace or delete other rows: sums of source and replica then differ.
    package var hasOperations: Bool { mapping.tables.contains { $0.targets.contains { $0.operation != .add } } }

    package var lastFindings: [Finding] { reads.findings(path: path) + lookupFindings + pictureFindings }

    /// Paths of the pictures in a tree of folders, below its root; nil for other sources.
    package var picturePaths: [String]? { (file as? PictureFolder)?.paths }

    var isOfPictures: Bool { file is PictureFolder }

    private var pictureFindings: [Finding] {
        guard let pictures = file as? PictureFolder else { return [] }
        let taking = mapping.tables.flatMap(\.targets).flatMap(\.fields)
            .first { $0.headings.contains(PictureRows.taken) }
        return pictures.notes.findings(of: path, zone: taking.map { $0.zone ?? pack.timeZone })
    }

    /// Findings from lookups.
    var lookupFindings: [Finding] { lookups.findings }

    /// Adds the rows of all sheets on which the reader found its form, sheet by sheet. Returns the
    /// names of these sheets and of sheets with blank forms.
    private func add(_ reading: FormReader, _ address: String) -> [String] {
        let form = reading.form
        findings += reading.findings
        let repeated = form.rows.map { _ in RepeatedRows() }
        reads.repeated += repeated
        for sheet in reading.sheets {
            let use = formUses[sheet.name] ?? reading.use(of: sheet)
            if formUses.updateValue(use, forKey: sheet.name) == nil { tableUses.append(use.use) }
            for (number, row) in form.rows.enumerated() {
                let mapped = MappedTable(
                    table: reading.table(of: row, on: sheet, use: use), part: form.table(for: row), source: self,
                    addresses: ["\(address)/\(number)"],
                    sheet: sheet.name, repeated: [repeated[number]],
                    pictures: row.of == .pictures ? reading.pictures : nil)
                if case .table(let name) = row.of {
                    reads.add(mapped, of: name, file: path)
                } else if row.of == .form {
                    reads.add(mapped, of: nil, file: path)
                }
                use.expect()
                tables.append(SourceTable(name: row.target.entity, file: path, read: mapped.read))
            }
        }
        return reading.sheets.map(\.name) + reading.emptySheets
    }

    /// Opens the source of rejected rows that are retried. It is used only for lookups and
    /// pictures.
    init(
        rejectsOf origin: RejectOrigin, _ opened: Result<any TableFile, RejectOrigin.Trouble>, mapping: ImportMapping,
        pack: Pack,
        keys: any RecordKeys, limits: TableLimits
    ) {
        (path, self.pack, self.keys, self.mapping) = (origin.reading.path, pack, keys, mapping)
        switch opened {
        case .success(let file): (self.file, trouble) = ((try? Self.keyed(file, by: mapping)) ?? file, nil)
        case .failure(let found): (file, trouble) = (NoTables(), found)
        }
        countable = []
        format = "rejects " + mapping.name
        words = ConversionWords(
            lookups: mapping.lookups, blanks: mapping.blanks, zone: pack.officeZone)
        lookups = MappedLookups(mapping, pack)
        names = mapping.projectID.flatMap { id in mapping.projectCode.map { [id: $0] } } ?? [:]
        formLimits = limits.form
    }

    /// Reason why values cannot be looked up in these tables; nil if they can.
    func trouble(with others: [ImportMapping.Other]) -> RejectOrigin.Trouble? {
        guard !others.isEmpty else { return nil }
        return trouble ?? (others.allSatisfy { lookedUp($0) != nil } ? nil : .gone)
    }

    private final class NoTables: TableFile {
        static let kind = "rejects"
        let tables: [ForeignTable] = []
    }

    /// The tables of a file that a part of a mapping reads.
    static func tables(of file: any TableFile, for part: ImportMapping.Table) -> [ForeignTable] {
        guard !part.names.isEmpty else { return Array(file.tables.filter { !$0.isHidden }.prefix(1)) }
        // A pattern that matches every table (`*`) includes only visible tables.
        return file.tables.filter { table in
            part.names.contains { ($0 != "*" || !table.isHidden) && ColumnName.matches(table.name, $0) }
                && !part.leavesOut(table.name)
        }
    }

    /// The file, in which each member of the JSON objects named by the mapping becomes a row.
    private static func keyed(_ file: any TableFile, by mapping: ImportMapping) throws -> any TableFile {
        let keyed = mapping.tables.reduce(into: [String: String]()) { $0.merge($1.keyed) { first, _ in first } }
        guard !keyed.isEmpty, let document = file as? JSONTables else { return file }
        return try document.keyed(by: keyed)
    }

    /// Kinds of files in which each value has a name: a name without any value has no column.
    private static let withoutHeadings: Set<String> = ["submissions", "xml", "json-tables", "plist"]

    /// Reports columns with data that no part of the mapping reads: one finding for each table.
    private func checkHeading(of rows: MappedTable, _ mapping: ImportMapping) throws {
        let heading = try rows.heading()
        guard rows.part.header != .none else { return }
        let isOfOffice = mapping.file != nil && !isOfLists && !Self.withoutHeadings.contains(file.contentKind)
        findings += MissingColumns.findings(of: rows, heading, path: path, pack: pack, isOfOffice: isOfOffice)
        // Columns that lookups read count as read.
        let lookedUp = mapping.others.filter { ColumnName.matches(rows.table.name, $0.table) }
        let used = Set(heading.places(of: rows.part.allHeadings + lookedUp.flatMap(\.allHeadings)))
        let shown = RawCells.distinct(heading.names)
        let unused = heading.names.indices.filter { place in
            let name = heading.names[place]
            // Values of the elements that enclose an XML row belong to another table. If several
            // columns have one name, only the first is read.
            return !ColumnName.normal(name).isEmpty && !name.hasPrefix("../") && !used.contains(place)
                && !mapping.ignores(name)
                && !(rows.part.numbered.contains { ColumnName.matches(name, $0) } && heading[name] == place)
        }.map { shown[$0] }
        guard !unused.isEmpty else { return }
        findings.append(Finding(
            "IMPORT-UNUSED-COLUMN", place: Place(file: path, sheet: rows.table.name),
            arguments: ["name": rows.table.name, "columns": unused.joined(separator: ", ")]))
    }

    /// The folder to which names of pictures are relative: the imported folder, or the folder of
    /// the imported file.
    static func folder(of path: String) -> String {
        let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        return names == nil ? URL(fileURLWithPath: path).deletingLastPathComponent().path : path
    }

    /// The human-readable key of the record that a field of a row refers to; nil if the row does
    /// not contain it.
    package func parentName(_ field: String, raw: String, place: Place, around: String?) -> String? {
        let again = RetryState()
        again.kept = NeighbourValues(around ?? "")
        let row = RejectSource.Row(id: "", entity: place.table ?? "", raw: raw, place: place)
        return (try? MappedReject(row, mapping, self, again: again)?.parentKey(field)) ?? nil
    }

    /// Must be called after all rows have been read: no more keys are looked up then.
    package func closeKeys() { keys.close() }

    private func lookedUp(_ other: ImportMapping.Other) -> ForeignTable? {
        file.tables.first { ColumnName.matches($0.name, other.table) }
    }

    /// - Parameter conversions: those of the field that receives the looked-up value.
    func other(_ other: ImportMapping.Other, _ conversions: [CellConversion]) throws -> LookupTable {
        try lookups.table(of: other, conversions) {
            guard let table = lookedUp(other) else {
                throw ImportFailure.noTable(
                    path: path, mapping: other.table, wanted: [other.table], found: file.tables.map(\.name))
            }
            return try LookupTable(
                other, conversions, in: table, source: self, use: lookups.use(of: table), limit: Self.lookupBytes)
        }
    }

    /// The files in the cells of a table.
    func contents(ofTable name: String) -> (any ContentTable)? { file.tables.first { $0.name == name }?.contents }

    /// Adds a picture that the row itself contains.
    func add(_ photo: SourcePhoto) { photos.append(photo) }

    /// Adds the picture of a row. Reports a picture that does not exist or lies outside the
    /// imported folder.
    ///
    /// - Parameter pictures: the pictures in the file itself; the name may be that of one of them.
    func add(
        _ name: String, of target: ImportMapping.Target, id: String, at place: Place, pictures: FormPictures? = nil
    ) throws -> [Finding] {
        if let path = try pictures?.path(of: name) {
            photos.append(
                SourcePhoto(
                    path: path, name: URL(fileURLWithPath: path).lastPathComponent, entity: target.entity, id: id,
                    sha256: nil, bytes: nil))
            return []
        }
        if isOfPictures {
            // The name is the path of a file below the folder, which was inspected before.
            let file = path + "/" + name
            let last = URL(fileURLWithPath: file).lastPathComponent
            photos.append(SourcePhoto(path: file, name: last, entity: target.entity, id: id, sha256: nil, bytes: nil))
            return []
        }
        let parts = name.replacingOccurrences(of: "\\", with: "/").split(separator: "/").map(String.init)
        let folder = Self.folder(of: path) + (target.photo?.folder.map { "/" + $0 } ?? "")
        guard !parts.isEmpty, !parts.contains(".."), let found = FileLocation.find(parts, below: folder) else {
            // The row itself is imported: its picture may be imported later.
            return [Finding("IMPORT-NO-NAMED-PHOTO", place: place, arguments: ["name": name])]
        }
        photos.append(
            SourcePhoto(path: found, name: parts.last ?? "", entity: target.entity, id: id, sha256: nil, bytes: nil))
        return []
    }
}

extension ImportMapping {
    /// Whether a table, a column or a row that begins with this text is left out on purpose.
    func ignores(_ name: String) -> Bool { ignores.contains { ColumnName.matches(name, $0) } }
}

extension ImportMapping.Table {
    /// Whether a table is left out on purpose.
    fileprivate func leavesOut(_ name: String) -> Bool { except.contains { ColumnName.matches(name, $0) } }
}
