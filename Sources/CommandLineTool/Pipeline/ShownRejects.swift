import Importing
import JSONReading
import Model
import Replica

/// Rejected rows as a role may see them: without the values of columns that go to fields which the
/// role does not see. Only roles that see every field see values that go to no field.
struct ShownRejects {
    private let actor: Model.Actor
    private let pack: Pack
    private let seesAll: Bool

    init(_ session: CommandSession, for actor: Model.Actor, of rows: [RejectedRow]) {
        self.actor = actor
        // Where a mapping's own file is gone, its columns are of no field.
        let addresses = rows.compactMap(\.place.mapping).filter { !$0.hasPrefix("entity ") }
        let known = try? MappingFile.pack(for: addresses, session, findings: FindingList()) { _ in nil }
        let pack = known ?? session.pack
        self.pack = pack
        seesAll = pack.entities.allSatisfy { $0.fields.allSatisfy { actor.sees($0, of: pack) } }
    }

    func shown(_ rows: [RejectedRow]) -> [RejectedRow] {
        guard !seesAll else { return rows }
        var open: [[String?]: Bool] = [:], columns: [[String?]: RejectColumns] = [:]
        return rows.map { row in
            let entity = row.entity ?? row.place.table, key = [entity, row.place.mapping]
            let names = columns[key] ?? RejectColumns(entity: entity, mapping: row.place.mapping, in: pack)
            columns[key] = names
            var shown = row
            shown.around = nil
            let members = (try? JSONValue.stored(row.raw))?.members?.map { member -> JSONValue.Member in
                let name = key + [member.key]
                let isOpen = open[name] ?? isOpen(names.fields(of: member.key))
                open[name] = isOpen
                if isOpen || member.value == .null { return member }
                return JSONValue.Member(key: member.key, value: .string(Pack.hiddenValue))
            }
            shown.raw = members.map { JSONValue.object($0).description } ?? Pack.hiddenValue
            return shown
        }
    }

    private func isOpen(_ fields: [Field]) -> Bool { !fields.isEmpty && fields.allSatisfy { actor.sees($0, of: pack) } }
}
