import Foundation
import Model
import Testing
import Workbench

@testable import Packs

/// Declarations of events, plans and files in a pack. Each test breaks one place.
@Suite struct DeclarationTests {
    private static let templates = ProjectFolder.root
        .appendingPathComponent("Templates")

    /// The mistakes of the pack after a passage of a file was replaced, and the number of the line
    /// that has `new`.
    static func mistakes(_ file: String, _ old: String, _ new: String, of pack: String = "anagrafica") throws -> (found: [PackMistake], line: Int) {
        let folder = try TemporaryFolder()
        for name in ["core", pack] {
            try FileManager.default.copyItem(at: templates.appendingPathComponent(name), to: folder.url.appendingPathComponent(name))
        }
        let url = folder.url.appendingPathComponent(pack + "/" + file)
        let text = try String(contentsOf: url, encoding: .utf8)
        try #require(text.contains(old), "\(file) has no \(old)")
        let changed = text.replacing(old, with: new, maxReplacements: 1)
        try changed.write(to: url, atomically: true, encoding: .utf8)
        let line = text.split(separator: old, maxSplits: 1).first.map { $0.count { $0 == "\n" } + 1 } ?? 0
        do {
            _ = try PackLoader.load(pack, from: folder.url)
            return ([], line)
        } catch {
            return (error.mistakes, line)
        }
    }

    @Test("Who is a person, and what leads to a person", arguments: [
        ("entity: users\n  identity: [email]", "entity: users\n  identity: [mail]", PackMistake.Code.badPath),
        ("identity: [email]", "identity: [score]", .wrongField),
        ("by: author_id, erase: delete}", "by: likes, erase: delete}", .wrongField),
        ("{entity: posts, by: author_id, erase: delete}", "{entity: posts, by: author_id, erase: keep}", .badValue),
        // A reference that nobody thought of.
        ("    - {entity: groups, by: member_ids, erase: anonymise}\n", "", .missingKey),
    ])
    func subjects(_ old: String, _ new: String, _ code: PackMistake.Code) throws {
        #expect(try Self.mistakes("pack.yaml", old, new, of: "yaquedamos").found.contains { $0.code == code })
    }

    @Test("A name that does not exist and a field of the wrong type are reported with their place", arguments: [
        ("pack.yaml", "record: entity_id", "record: entity", PackMistake.Code.badPath),
        ("pack.yaml", "time: timestamp", "time: device_id", .wrongField),
        ("pack.yaml", "payload: payload", "payload: status", .wrongField),
        ("pack.yaml", "{entity: photos, project: project_id,", "{entity: photos, project: size,", .wrongField),
        ("pack.yaml", "{upload_status: Pending}", "{upload_status: Waiting}", .unknownName),
        ("pack.yaml", "{upload_status: Pending}", "{upload: Pending}", .badPath),
        ("pack.yaml", "type: TypeCreated,", "type: TypeMade,", .unknownName),
        ("pack.yaml", "acknowledged: {synced: true,", "acknowledged: {synked: true,", .badPath),
        ("pack.yaml", "values: {upload_status: Completed}", "values: {upload_status: Complete}", .unknownName),
        ("pack.yaml", "time: uploaded_at", "time: filename", .wrongField),
        ("pack.yaml", "type: TypeUpdated,", "type: TypeCreated, ", .duplicateName),
        ("pack.yaml", "entity: rooms, does: set,", "entity: levels, does: set,", .unknownName),
        ("pack.yaml", "field: lifecycle_state,", "field: lifecycle,", .badPath),
        ("pack.yaml", "list: photo_ids", "list: parameters", .wrongField),
        ("pack.yaml", "others: {room_notes:", "others: {notes:", .unknownName),
        ("pack.yaml", "entity: room_notes, does: delete", "entity: room_notes, does: end", .badValue),
        ("pack.yaml", "north: north_angle", "north: name", .wrongField),
        ("pack.yaml", "level: level_id", "level: source_key", .wrongField),
        ("pack.yaml", "    polygon: polygon", "    polygon: shape", .badPath),
        ("pack.yaml", "letters: {p: 1,", "letters: {p: 2,", .badValue),
        ("pack.yaml", "      kept: families", "      kept: version", .wrongField),
        ("pack.yaml", "members: [id, version, createdAt, isLocked]", "members: [id, versione, createdAt]", .badPath),
        ("pack.yaml", "parameters: parameter_schema", "parameters: icon_name", .wrongField),
        ("pack.yaml", "key: id, name: name, number: number, polygon: shape.polygon", "key: id, number: number, polygon: shape.polygon", .missingKey),
        ("entities/photos.yaml", "bytes: size", "bytes: filename", .wrongField),
        ("entities/photos.yaml", "taken: taken_at", "taken: taken", .badPath),
        ("entities/photos.yaml", "file: {path: filepath, name", "file: {name", .missingKey),
    ])
    func mistakes(file: String, old: String, new: String, code: PackMistake.Code) throws {
        let (found, line) = try Self.mistakes(file, old, new)
        #expect(found.map(\.code).contains(code), "\(found.map { $0.line(Texts.shipped, .english) })")
        #expect(
            found.contains { $0.code == code && $0.file == "anagrafica/" + file && $0.line == line },
            "\(line): \(found.map { $0.line(Texts.shipped, .english) })")
    }
}
