import Model

/// Finds rows that `requires` leaves out although they contain what makes other rows a record of
/// the entity. Usually the required value is written once for several rows.
struct LeftOutRecords {
    /// The columns that identify rows of one target.
    private struct Target {
        let entity: String
        let required: [(heading: String, place: Int)]
        /// Columns of fields that every record has.
        let needed: [Int]
        let all: [Int]
    }

    private let targets: [Target?]
    private var found: [(count: Int, lines: [Int], missing: Set<String>)]

    private static let shownLines = 10

    init(_ part: ImportMapping.Table, pack: Pack, heading: Heading) {
        targets = part.targets.map { target in
            let headings = part.requires + target.requires
            guard !headings.isEmpty, target.each == nil, let entity = pack.entity(target.entity) else { return nil }
            let required = headings.map { ($0, heading[$0] ?? .max) }
            func places(_ isWanted: (Field) -> Bool) -> [Int] {
                let wanted = target.fields.filter { field in
                    if case .column = field.value { entity.field(field.name).map(isWanted) ?? false } else { false }
                }
                return Set(wanted.flatMap { heading.places(of: $0.headings).prefix(1) }).sorted()
            }
            return Target(
                entity: target.entity, required: required, needed: places { $0.isRequired || target.key.contains($0.name) }, all: places { _ in true })
        }
        found = part.targets.map { _ in (0, [], []) }
    }

    /// Notes a row that does not feed a target but looks as if it should.
    ///
    /// - Parameters:
    ///   - isFilled: whether a column of the row is filled.
    ///   - hasDigit: whether a column contains a digit; a row of units below the heading has none.
    ///   - isUnwanted: whether a condition excludes the row from the target, whatever it contains.
    mutating func note(_ line: Int, target: Int, isFilled: (Int) -> Bool, hasDigit: (Int) -> Bool, isUnwanted: () throws -> Bool) rethrows {
        guard let wanted = targets[target] else { return }
        let missing = wanted.required.filter { !isFilled($0.place) }
        guard !missing.isEmpty else { return }
        func others(_ places: [Int]) -> [Int] { places.filter { place in !missing.contains { $0.place == place } } }
        let (needed, all) = (others(wanted.needed), others(wanted.all))
        let filled = all.count(where: isFilled)
        // A sum or a note fills only one or two columns.
        guard (needed.count > 1 && needed.allSatisfy(isFilled)) || (filled > 1 && filled * 2 >= all.count) else { return }
        guard all.contains(where: hasDigit), try !isUnwanted() else { return }
        found[target].count += 1
        if found[target].lines.count < Self.shownLines { found[target].lines.append(line) }
        found[target].missing.formUnion(missing.map(\.heading))
    }

    func findings(name: String, at place: Place) -> [Finding] {
        zip(targets, found).compactMap { target, found in
            guard let target, found.count > 0 else { return nil }
            var place = place
            place.line = found.lines.first
            return Finding(
                "IMPORT-LEFT-OUT-RECORD", place: place,
                arguments: [
                    "name": name, "count": String(found.count), "target": target.entity, "columns": found.missing.sorted().joined(separator: ", "),
                    "lines": found.lines.map(String.init).joined(separator: ", ") + (found.count > found.lines.count ? ", …" : ""),
                ])
        }
    }
}
