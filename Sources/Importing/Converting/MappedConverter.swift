import Model
import Patterns

/// Converts rows of one external table to rows of one entity, as one target of a mapping defines.
final class MappedConverter {
    /// Source and target of the rows.
    struct Setting {
        var target: ImportMapping.Target
        /// Address of the target in the pack, `registro/0/1`: the mapping, its table, its target.
        var address: String
        /// The file of this table, and the sheet if the file has several.
        var file: String
        var sheet: String?
        /// Names of the table's columns, under which a rejected row is stored.
        var headings: [String]
        /// Whether the rows are a form's repeats: parts of the record on the same line of the file.
        var isRepeat = false
    }

    let empty: ImportedBatch
    let entity: Entity
    private let setting: Setting
    private let values: MappedValues
    private let source: MappedSource
    let readings: [FieldReader]
    /// Whether any value depends on neighbouring rows.
    private let looksAround: Bool
    /// Targets that set the sync state, version or time of a row, which are not fields.
    private let states: [(field: String, name: RowStateName, text: TextReader)]
    /// For each part of the key, the reading that supplies its text.
    private let key: [Int]
    /// Patterns for values of the key, with the reading that supplies them.
    private let patterns: [(reading: Int, pattern: Pattern)]
    /// Number of keys reported for not matching their pattern; the validation reports the others.
    private var strangeKeys = 0
    private static let maximumStrangeKeys = 100
    /// The reading that supplies the id, if there is one.
    private let idReading: Int?
    private let several: SeveralValues
    private let repeated: RepeatedRows
    /// For forms: the pictures in the file itself.
    private let pictures: FormPictures?
    /// For tables whose cells contain the pictures themselves.
    let rowPictures: RowPictures?
    private var natural: NaturalID.Maker
    private var seen = BytesMemo<RepeatedRows.First>()
    /// Ids of keys that occur often, because several lines of a register repeat one record.
    private var known = BytesMemo<[UInt8]>()
    private let roundings = RoundedValues()
    /// For folders of pictures: the first picture of each name under an owner.
    private var pictureNames: [String: String] = [:]
    /// Columns that only number or name the rows: they always differ in repeated rows.
    private let counting: Set<Int>
    private var keyBytes: [UInt8] = []
    private var keyEnds: [Int] = []
    private(set) var id: [UInt8] = []
    /// The columns that a row sets, if not all. Rows that set the same columns share the array.
    var stated: [Bool]
    /// For each column, whether rows that are here already take its value too.
    let isForAll: [Bool]

    var target: ImportMapping.Target { setting.target }

    init(
        _ values: MappedValues, _ setting: Setting, of entity: Entity, source: MappedSource, several: SeveralValues,
        repeated: RepeatedRows, pictures: FormPictures?, rowPictures: RowPictures? = nil
    ) {
        (self.values, self.setting, self.entity, self.source) = (values, setting, entity, source)
        (self.several, self.repeated, self.pictures, self.rowPictures) = (several, repeated, pictures, rowPictures)
        let read = TargetReaders(values, setting.target, of: entity, source: source, roundings: roundings)
        let id = entity.position(ofField: "id") ?? 0
        (readings, states, counting, idReading) = (read.readings, read.states, read.counting, read.idReading)
        looksAround = values.plans.contains { $0.plan.looksAround }
        key = setting.target.key.map { name in read.readings.firstIndex { $0.field.name == name } ?? -1 }
        patterns = readings.enumerated().compactMap { index, reading in
            guard reading.isKey, reading.field.name != "id" else { return nil }
            return reading.field.pattern.flatMap { try? Pattern($0) }.map { (index, $0) }
        }
        natural = NaturalID.Maker(pack: source.pack.name, entity: setting.target.entity)
        var empty = ImportedBatch(
            entity: setting.target.entity, fields: read.fields + (rowPictures?.fields ?? []) + [id],
            place: Place(table: entity.name, file: setting.file, sheet: setting.sheet, mapping: setting.address),
            raw: RawCells(headings: (looksAround ? [RawCells.around] : []) + setting.headings))
        empty.isRepeat = setting.isRepeat
        (empty.operation, empty.match) = (setting.target.operation, setting.target.match)
        empty.isLenient = setting.target.isLenient
        self.empty = empty
        isForAll = empty.fields.map { !setting.target.onlyNew.contains(entity.fields[$0].name) }
        stated = isForAll
    }

    /// Converts a row. The caller must have read the row's named columns (`NamedColumns`) before.
    func convert(_ batch: borrowing ForeignBatch, _ row: Int, into made: inout ImportedBatch) throws -> RowOutcome {
        guard try isWanted(batch, row) else {
            // With `each`, one line may contain several rows. Those missing from the line do not
            // count as filtered rows.
            if target.each == nil { made.filter() }
            return .filtered
        }
        values.around.removeAll()
        roundings.removeAll()
        var problems = RowProblems()
        let hasID = try readValues(batch, row, &problems, into: &made)
        let left = target.isLenient ? leaveOut(&problems) : []
        let states = try rowStates(batch, row, &problems)
        if problems.isEmpty {
            do {
                try completeID(hasID, in: &made)
            } catch let fault as MappingFault {
                problems.faults.append(fault)
            }
        }
        guard problems.isEmpty else {
            reject(batch, row, problems, into: &made)
            return .rejected
        }
        let line = batch.rows[row].number
        if target.repeats, isRepeated(line, made) {
            made.dropOpenRow()
            made.filter()
            return .repeated
        }
        if target.operation == .delete {
            delete(line, from: &made)
            return .row
        }
        reportStrangeKey(batch, row, line, into: &made)
        pack(batch, row, into: &made.raw)
        if !roundings.isEmpty { roundings.report(at: line, pointer: nil, into: &made) }
        try tellOthers(batch, row, line, into: &made)
        report(left, batch, row, line, into: &made)
        made.endRow(line: line, shape: shape(of: made), states: states)
        return .row
    }

    /// Appends the values of all fields; returns whether the row states its id.
    private func readValues(
        _ batch: borrowing ForeignBatch, _ row: Int, _ problems: inout RowProblems, into made: inout ImportedBatch
    ) throws -> Bool {
        // Copied to a local constant, because each use of an object's array is reference-counted.
        let readings = readings
        for index in readings.indices where index != idReading {
            if try !readings[index].append(batch, row, to: &made.rows, &problems) { made.rows.appendNull() }
        }
        try rowPictures?.read(row: batch.rows[row].number, into: &made.rows)
        return try idReading.map { try readings[$0].append(batch, row, to: &made.rows, &problems) } ?? false
    }

    private func delete(_ line: Int, from made: inout ImportedBatch) {
        made.dropOpenRow()
        var place = made.place
        place.line = line
        made.delete(
            ImportedDeletion(
                entity: entity.name, id: String(decoding: id, as: UTF8.self).lowercased(),
                remote: #"{"deleted":true}"#, place: place))
    }

    private func isWanted(_ batch: borrowing ForeignBatch, _ row: Int) throws -> Bool {
        for column in values.requires {
            let isFilled = values.isFilled(batch, row, column)
            if !isFilled, try values.naming?.takes(row: row, without: column) != true { return false }
        }
        guard let filter = values.filter else { return true }
        return values.columns.isTrue(filter)
    }

    /// Records the row's key and id; a row without an id gets one from its key.
    private func completeID(_ hasID: Bool, in made: inout ImportedBatch) throws {
        if let name = takeKey() { throw MappingFault(code: "IMPORT-NO-KEY", field: name, arguments: ["name": name]) }
        if hasID, let idReading { return id.append(contentsOf: readings[idReading].bytes) }
        guard !key.isEmpty else { throw MappingFault(code: "IMPORT-NO-ID") }
        try appendNaturalID()
        let bytes = id
        made.rows.append(bytes.span)
    }

    /// Records the row's key, and forgets the id of the row before; returns the first field of the
    /// key without a value.
    private func takeKey() -> String? {
        keyBytes.removeAll(keepingCapacity: true)
        keyEnds.removeAll(keepingCapacity: true)
        id.removeAll(keepingCapacity: true)
        for (part, index) in key.enumerated() {
            guard index >= 0, !readings[index].bytes.isEmpty else { return target.key[part] }
            keyBytes.append(contentsOf: readings[index].bytes)
            keyEnds.append(keyBytes.count)
        }
        return nil
    }

    /// Appends the id for the natural key: the one in the replica, or the one derived from the key.
    private func appendNaturalID() throws {
        if try values.isEmpty(target.entity) { return natural.append(keyBytes, ends: keyEnds, to: &id) }
        var wholeKey: [UInt8] = []
        if target.repeats {
            wholeKey = keyBytes
            for end in keyEnds { KeyReader.append(end, to: &wholeKey) }
            if let known = known.value(of: wholeKey.span) { return id.append(contentsOf: known) }
        }
        var start = 0
        let parts = zip(target.key, keyEnds).map { field, end in
            defer { start = end }
            return (field: field, value: String(decoding: keyBytes[start..<end], as: UTF8.self))
        }
        let own = Array(try values.ownID(of: target.entity, parts).utf8)
        if target.repeats { known.remember(own, of: wholeKey.span) }
        id.append(contentsOf: own)
    }

    /// Whether an earlier row produced the same record; if its values differ, that is reported.
    private func isRepeated(_ line: Int, _ made: borrowing ImportedBatch) -> Bool {
        let bytes = id
        if let first = seen.value(of: bytes.span) {
            compare(first, line, made)
            return true
        }
        let id = String(decoding: id, as: UTF8.self)
        if let first = repeated[id] {
            seen.remember(first, of: bytes.span)
            compare(first, line, made)
            return true
        }
        repeated.begin(id, in: values.table, line: line, made.rows)
        if let first = repeated[id] { seen.remember(first, of: bytes.span) }
        return false
    }

    private func compare(_ first: RepeatedRows.First, _ line: Int, _ made: borrowing ImportedBatch) {
        let columns = repeated.differences(first, made.rows).filter { !counting.contains($0) }
        guard !columns.isEmpty else { return }
        let shown = columns.prefix(5).map { column in
            let field = entity.fields[made.fields[column]]
            let own = made.rows.description(made.rows.rowCount, column).map { String($0.prefix(40)) } ?? ""
            let other = first.digests[column] == 0 ? "—" : first.shown.isEmpty ? "…" : first.shown[column] ?? ""
            return source.pack.mayQuote(field) ? "\(field.name): \(other) ≠ \(own)" : field.name
        }
        var place = Place(table: target.entity, file: setting.file, sheet: setting.sheet, line: line)
        (place.id, place.key, place.field) = (
            String(decoding: id, as: UTF8.self), shownKey, entity.fields[made.fields[columns[0]]].name
        )
        repeated.report(
            first, in: values.table,
            Finding(
                "IMPORT-DIFFERENT-REPEAT", place: place,
                arguments: [
                    "name": shownKey ?? place.id ?? "",
                    "first": (first.table == values.table ? "" : first.table + " ") + String(first.line),
                    "line": String(line),
                    "values": shown.joined(separator: "; ") + (columns.count > 5 ? "; …" : ""),
                ]))
    }

    /// Reports a key that does not match its pattern at once, not only in the validation. Otherwise
    /// sums and remarks below a table would become records unnoticed.
    private func reportStrangeKey(
        _ batch: borrowing ForeignBatch, _ row: Int, _ line: Int, into made: inout ImportedBatch
    ) {
        for (index, pattern) in patterns where strangeKeys < Self.maximumStrangeKeys {
            let reading = readings[index]
            guard !reading.bytes.isEmpty, pattern.matchesWhole(reading.bytes.span) != .matched else { continue }
            strangeKeys += 1
            var place = Place(
                table: target.entity, file: setting.file, sheet: setting.sheet, cell: reading.cell(batch, row),
                line: line)
            (place.id, place.key, place.field) = (String(decoding: id, as: UTF8.self), shownKey, reading.field.name)
            made.notes.append(
                Finding(
                    "FIELD-PATTERN", place: place,
                    arguments: [
                        "value": source.pack.quoted(String(reading.shown.prefix(80)), of: reading.field),
                        "pattern": pattern.source,
                    ]))
        }
    }

    /// Adds the row's picture. Reports further values of a cell if the record can store only one.
    private func tellOthers(_ batch: borrowing ForeignBatch, _ row: Int, _ line: Int, into made: inout ImportedBatch)
        throws
    {
        guard !values.photo.isEmpty || !several.isEmpty else { return }
        let foreign = values.foreign(batch, row)
        var place = Place(table: target.entity, file: setting.file, sheet: setting.sheet, line: line)
        let name = String(decoding: id, as: UTF8.self).lowercased()
        if let rowPictures {
            var named = place
            (named.id, named.key) = (name, shownKey)
            made.notes += rowPictures.findings(at: named)
            if let photo = rowPictures.photo(ofRow: line, of: target.entity, id: name, file: setting.file) {
                source.add(photo)
            }
        } else if target.photo?.isContent != true, let photo = foreign.first(values.photo)?.text {
            made.notes += try source.add(photo, of: target, id: name, at: place, pictures: pictures)
        }
        place.id = name
        if source.isOfPictures { made.notes += sameName(foreign, at: place) }
        if !several.isEmpty { made.notes += several.findings(in: foreign, at: place) }
    }

    /// Reports two pictures of one owner with the same name. Both are imported.
    private func sameName(_ row: ForeignRow, at place: Place) -> [Finding] {
        let own = [entity.keyScope, entity.file[.name]].map { name in readings.first { $0.field.name == name } }
        guard let owner = own[0], let file = own[1], let path = row.cellName(0) else { return [] }
        let name = String(decoding: owner.bytes + [0x1F] + file.bytes, as: UTF8.self)
        guard let first = pictureNames.updateValue(pictureNames[name] ?? path, forKey: name) else { return [] }
        var place = place
        (place.key, place.field, place.cell) = (shownKey, file.field.name, path)
        return [Finding("IMPORT-SAME-NAME", place: place, arguments: ["name": path, "first": first])]
    }

    /// Reads the row's states; an invalid state is a fault of the row, as for any field.
    private func rowStates(_ batch: borrowing ForeignBatch, _ row: Int, _ problems: inout RowProblems) throws
        -> ImportedBatch.States?
    {
        guard !states.isEmpty else { return nil }
        var found = ImportedBatch.States()
        for (field, name, reading) in states {
            var bytes: [UInt8] = []
            do {
                guard try reading.append(batch, row, to: &bytes) else { continue }
            } catch let fault as MappingFault {
                problems.faults.append(fault)
                continue
            }
            let text = String(decoding: bytes, as: UTF8.self)
            if !name.set(text, in: &found, zone: values.officeZone) { problems.faults.append(name.fault(field, text)) }
        }
        return found == ImportedBatch.States() ? nil : found
    }

    // MARK: Faults of a row

    private func pack(_ batch: borrowing ForeignBatch, _ row: Int, into raw: inout RawCells) {
        batch.pack(row, into: &raw, after: looksAround ? Array(values.around.text.utf8) : nil)
    }

    /// Rejects a row for faults found before its fields were read. The fields are still read, to
    /// identify the record and to count the row.
    func reject(_ batch: borrowing ForeignBatch, _ row: Int, _ faults: [MappingFault], into made: inout ImportedBatch) {
        values.around.removeAll()
        var others = RowProblems()
        for reading in readings { _ = try? reading.append(batch, row, to: &made.rows, &others) }
        reject(batch, row, RowProblems(faults: faults), into: &made)
    }

    private func reject(
        _ batch: borrowing ForeignBatch, _ row: Int, _ problems: RowProblems, into made: inout ImportedBatch
    ) {
        made.dropOpenRow()
        pack(batch, row, into: &made.raw)
        let raw = made.raw.openRow
        made.dropOpenRow()
        var place = made.place
        place.line = batch.rows[row].number
        // The id that the record would have had. When the source is corrected and imported again,
        // this id resolves the rejected row.
        let id = recordID() ?? values.naming?.standIn(row: row, for: entity.name)
        var findings = problems.faults.map { finding(of: $0, id: id, at: place) }
        var named = place
        (named.id, named.key) = (id, shownKey)
        findings += problems.misfits.map { field, misfit in
            named.cell = readings.first { $0.field.name == field.name }?.cell(batch, row)
            return misfit.finding(field, of: source.pack, at: named)
        }
        if target.repeats, let id {
            let noted = findings.map { "\($0.code) \($0.place.field ?? "") \($0.arguments["value"] ?? "")" }.joined(
                separator: "\u{1F}")
            guard repeated.isFirst(noted, of: id) else { return made.filter() }
        }
        made.reject(.init(raw: raw, place: place, findings: findings, around: looksAround ? values.around.text : nil))
    }

    private func recordID() -> String? {
        guard !key.isEmpty, takeKey() == nil, (try? appendNaturalID()) != nil else { return nil }
        return String(decoding: id, as: UTF8.self)
    }

    /// The key in readable form: `HYO-2025 / C-07 / 3`, with a dash for a missing part; nil if
    /// all are missing.
    private var shownKey: String? {
        func isThere(_ index: Int) -> Bool { index >= 0 && !readings[index].bytes.isEmpty }
        guard key.contains(where: isThere) else { return nil }
        return key.map { index in
            guard isThere(index) else { return "—" }
            return source.pack.quoted(String(readings[index].shown.prefix(80)), of: readings[index].field)
        }.joined(separator: " / ")
    }

    func finding(of fault: MappingFault, id: String?, at place: Place) -> Finding {
        var arguments = fault.arguments
        // A value whose cell is no longer known is reported with its field.
        if let cell = fault.cell ?? (arguments["value"] == nil ? nil : fault.field) { arguments["cell"] = cell }
        if let value = arguments["value"] {
            arguments["value"] = source.pack.quoted(value, of: fault.field.flatMap { entity.field($0) })
        }
        var place = place
        (place.id, place.key, place.field, place.cell) = (id, shownKey, fault.field, fault.cell)
        return Finding(fault.code, place: place, arguments: arguments)
    }
}
