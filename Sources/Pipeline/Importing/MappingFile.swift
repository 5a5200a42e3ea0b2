import Foundation
import Importing
import JSONReading
package import Model
import Packs
package import Replica

/// Mappings in the office's own file and not in the pack.
package enum MappingFile {
    /// Loads a mapping from a file, which is recognised by its path or its ending. Returns nil for
    /// the name of one of the pack's mappings.
    package static func load(_ name: String, _ session: WorkSession) throws -> ImportMapping? {
        guard isPath(name) else { return nil }
        guard FileManager.default.fileExists(atPath: name) else { throw ImportFailure.notFound(path: name) }
        return try PackLoader.loadMapping(at: URL(fileURLWithPath: name), for: session.pack)
    }

    static func isPath(_ name: String) -> Bool {
        name.contains("/") || name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    }

    /// The pack, plus the mappings that the rejected rows were read with and that the pack does not
    /// contain: the office's mapping files, reloaded, and the pack's own mappings with the project
    /// and options of that import.
    ///
    /// Throws `ImportFailure.mappingGone` if a file no longer exists, and the errors of loading it.
    package static func pack(
        for addresses: [String], _ session: WorkSession, findings: any FindingSink,
        projectID: (String) throws -> String?
    ) throws -> Pack {
        var pack = session.pack
        let identities = Set(addresses.map { MappingIdentity(ofAddress: $0).text })
        for identity in identities.sorted().map({ MappingIdentity($0) }) where pack.mapping(identity.text) == nil {
            guard var mapping = try mapping(identity, session, findings) else { continue }
            mapping.given = identity.given
            if let code = identity.projectCode, let id = try projectID(code) {
                let file = mapping.file
                mapping = try mapping.ofProject((id, code), session.pack, path: file?.path ?? mapping.name)
            }
            pack.imports.append(mapping)
        }
        return pack
    }

    private static func mapping(_ identity: MappingIdentity, _ session: WorkSession, _ findings: any FindingSink)
        throws -> ImportMapping?
    {
        let path = identity.name
        guard let sha256 = identity.sha256 else { return session.pack.mapping(path) }
        guard FileManager.default.fileExists(atPath: path) else { throw ImportFailure.mappingGone(path: path) }
        var mapping = try PackLoader.loadMapping(at: URL(fileURLWithPath: path), for: session.pack)
        if mapping.file?.sha256 != sha256 {
            try findings.add(Finding("IMPORT-MAPPING-CHANGED", place: Place(file: path), arguments: ["path": path]))
            // The file may have been corrected meanwhile; the rows identify it by its earlier
            // digest.
            mapping.file?.sha256 = sha256
        }
        return mapping
    }
}

/// Rejected rows as a role may see them: without the values of columns for fields that the role
/// does not see. Only roles that see every field see values of unmapped columns.
package struct ShownRejects {
    private let actor: Model.Actor
    private let pack: Pack
    private let seesAll: Bool

    package init(_ session: WorkSession, for actor: Model.Actor, of rows: [RejectedRow]) {
        self.actor = actor
        // If a mapping's file no longer exists, its columns count as unmapped.
        let addresses = rows.compactMap(\.place.mapping).filter { !$0.hasPrefix("entity ") }
        let known = try? MappingFile.pack(for: addresses, session, findings: FindingList()) { _ in nil }
        let pack = known ?? session.pack
        self.pack = pack
        seesAll = pack.entities.allSatisfy { $0.fields.allSatisfy { actor.sees($0, of: pack) } }
    }

    package func shown(_ rows: [RejectedRow]) -> [RejectedRow] {
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
