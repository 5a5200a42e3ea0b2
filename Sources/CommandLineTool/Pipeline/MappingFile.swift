import Foundation
import Importing
import Model
import Packs

/// Mappings in a file of the office, not in the pack.
enum MappingFile {
    /// Nil for the name of one of the pack's own mappings: a file is recognised by its path or its
    /// ending.
    static func load(_ name: String, _ session: CommandSession) throws -> ImportMapping? {
        guard isPath(name) else { return nil }
        guard FileManager.default.fileExists(atPath: name) else { throw ImportFailure.notFound(path: name) }
        return try PackLoader.loadMapping(at: URL(fileURLWithPath: name), for: session.pack)
    }

    static func isPath(_ name: String) -> Bool { name.contains("/") || name.hasSuffix(".yaml") || name.hasSuffix(".yml") }

    /// The pack with the mappings that rejected rows were imported with and that the pack lacks:
    /// files of the office, read again, and the pack's own mappings with the project and the options
    /// that the import was given.
    ///
    /// Throws `ImportFailure.mappingGone` if a file is no longer where it was, and what loading it
    /// throws.
    static func pack(
        for addresses: [String], _ session: CommandSession, findings: any FindingSink, projectID: (String) throws -> String?
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

    private static func mapping(_ identity: MappingIdentity, _ session: CommandSession, _ findings: any FindingSink) throws -> ImportMapping? {
        let path = identity.name
        guard let sha256 = identity.sha256 else { return session.pack.mapping(path) }
        guard FileManager.default.fileExists(atPath: path) else { throw ImportFailure.mappingGone(path: path) }
        var mapping = try PackLoader.loadMapping(at: URL(fileURLWithPath: path), for: session.pack)
        if mapping.file?.sha256 != sha256 {
            try findings.add(Finding("IMPORT-MAPPING-CHANGED", place: Place(file: path), arguments: ["path": path]))
            // The file may have been corrected meanwhile; its rows identify it by its earlier
            // digest.
            mapping.file?.sha256 = sha256
        }
        return mapping
    }
}
