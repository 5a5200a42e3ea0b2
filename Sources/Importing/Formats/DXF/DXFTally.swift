import Model

/// Counts what was read from a drawing's sections: entities by layer and kind, and the sum of the X
/// coordinates of their vertices. It is compared with an independent count.
struct DXFTally {
    private struct Section {
        var name: String
        var rows = 0
        var columns: [TableCount.Column] = []
        var places: [String: Int] = [:]
        var uses: [ColumnUse.Column] = []
    }

    private var sections = [Section(name: "ENTITIES"), Section(name: "BLOCKS")]

    /// - Parameter isUsed: whether a plan uses the entity.
    mutating func add(_ entity: DXFEntityBuilder, ofBlock: Bool, isUsed: Bool) {
        guard entity.kind != "SEQEND" else { return }
        let name = entity.layer + " " + entity.kind, section = ofBlock ? 1 : 0
        let place = sections[section].places[name] ?? sections[section].columns.count
        if place == sections[section].columns.count {
            sections[section].places[name] = place
            sections[section].columns.append(TableCount.Column(name: name, numbers: .init()))
            sections[section].uses.append(ColumnUse.Column(name: name))
        }
        sections[section].rows += 1
        sections[section].columns[place].filled += 1
        if isUsed { sections[section].uses[place].read += 1 } else { sections[section].uses[place].left += 1 }
        for x in entity.across { sections[section].columns[place].numbers?.add(x) }
    }

    var given: [TableCount] { sections.filter { $0.rows > 0 }.map { TableCount(name: $0.name, rows: $0.rows, columns: $0.columns) } }

    func uses(of file: String) -> [ColumnUse] { sections.filter { $0.rows > 0 }.map { ColumnUse(file: file, table: $0.name, columns: $0.uses) } }
}
