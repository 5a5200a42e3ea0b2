import Model

/// A rule of the kind `photo` with the columns that it reads.
struct PhotoPlan {
    struct Column {
        /// Of the rows; column 0 is the id.
        var index: Int
        var field: Field?
        /// The field's name where it is one of the row itself.
        var local: String?
    }

    var reach: CheckReach { CheckReach(rule.code, entity: entity.name, kind: .rows(paths: paths), opensFiles: true, asksForToday: rule.when?.asksForToday == true) }

    let rule: Rule
    let check: PhotoCheck
    let entity: Entity
    /// Columns 1… of the rows.
    private(set) var paths: [FieldPath] = []
    let file: Column
    let bytes: Column?
    let sha256: Column?
    let time: Column?
    let place: [Column]
    let when: ExpressionProgram?

    /// Nil when it needs a field that the actor may not see.
    init?(_ rule: Rule, _ check: PhotoCheck, pack: Pack, source: any ValidationSource) throws(ValidatingError) {
        guard let entity = pack.entity(rule.entity) else { throw .unknownName(owner: rule.code, name: rule.entity) }
        let needed = check.paths + (rule.when?.fieldPaths ?? [])
        for path in needed {
            if source.isHidden(path, from: entity, in: pack) { return nil }
            guard pack.field(at: path, from: entity) != nil else { throw .unknownName(owner: rule.code, name: path.description) }
        }
        var paths: [FieldPath] = []
        for path in needed where !paths.contains(path) { paths.append(path) }
        func column(_ path: FieldPath) -> Column {
            Column(index: (paths.firstIndex(of: path) ?? 0) + 1, field: pack.field(at: path, from: entity), local: path.isLocal ? path.parts.last : nil)
        }
        self.rule = rule
        self.check = check
        self.entity = entity
        file = column(check.file)
        bytes = check.bytes.map(column)
        sha256 = check.sha256.map(column)
        time = check.time.map(column)
        place = check.place.map { $0.paths.map(column) } ?? []
        do {
            when = try rule.when.map { condition throws(ExpressionProgram.UnknownPath) in
                try ExpressionProgram(condition, on: source.today) { path in paths.firstIndex(of: path).map { $0 + 1 } }
            }
        } catch {
            throw .unknownName(owner: rule.code, name: error.path.description)
        }
        self.paths = paths
    }
}
