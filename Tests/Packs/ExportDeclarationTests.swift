import Foundation
import Testing
import Workbench

@testable import Model
@testable import Packs

/// Declarations of calendars, of sheets from SQL and of anonymous exports. Each test breaks one
/// place of a shipped pack.
@Suite struct ExportDeclarationTests {
    @Test("A calendar names columns of its sheet of the right kind", arguments: [
        ("exports/calendario.yaml", "uid: id", "uid: uid", PackMistake.Code.unknownName),
        ("exports/calendario.yaml", "      start: starts_at", "      start: name", .wrongField),
        ("exports/calendario.yaml", "latitude: latitude", "latitude: category", .wrongField),
        ("exports/calendario.yaml", "      start: starts_at\n", "", .missingKey),
        ("exports/calendario.yaml", "      latitude: latitude\n", "", .missingKey),
        ("exports/calendario.yaml", "      end: ends_at", "      due: ends_at", .unfitKey),
        ("exports/calendario.yaml", "      end: ends_at", "      ends: ends_at", .unknownKey),
        ("exports/calendario.yaml", "      end: ends_at", "      minutes: name", .wrongField),
        ("exports/calendario.yaml", "      end: ends_at", "      as: meeting", .badValue),
        ("exports/actividades.yaml", "onRequest: [xml, sqlite]", "onRequest: [ics]", .missingKey),
        ("exports/todo.yaml", "formats: [", "formats: [geojson, ", .missingKey),
        ("exports/anonimizado.yaml", "formats: [", "formats: [geojson, ", .missingKey),
        ("exports/actividades.yaml", "{field: starts_at, descending: true}", "{field: begins_at, descending: true}", .badPath),
        ("exports/actividades.yaml", "{field: starts_at, descending: true}", "{field: starts_at, downwards: true}", .unknownKey),
        ("exports/todo.yaml", "columns: all", "columns: every", .badValue),
    ]) func aCalendarIsChecked(_ file: String, _ old: String, _ new: String, _ code: PackMistake.Code) throws {
        try expect(code, file, old, new)
    }

    @Test("A sheet for each value of a text needs no name, and one for each row does", arguments: [
        ("    entity: activities\n    columns: [name, ", "    entity: activities\n    forEach: category\n    columns: [name, ", nil),
        ("    entity: activities\n    columns: [name, ", "    entity: activities\n    forEach: category\n    eachName: name\n    columns: [name, ", PackMistake.Code.unfitKey),
        ("    entity: activities\n    columns: [name, ", "    entity: activities\n    forEach: organizer_id\n    columns: [name, ", .missingKey),
        ("    entity: activities\n    columns: [name, ", "    entity: activities\n    forEach: starts_at\n    columns: [name, ", .wrongField),
        ("    entity: activities\n    columns: [name, ", "    entity: activities\n    eachName: name\n    columns: [name, ", .missingKey),
    ] as [(String, String, PackMistake.Code?)]) func aSheetForEachIsChecked(_ old: String, _ new: String, _ code: PackMistake.Code?) throws {
        let found = try DeclarationTests.mistakes("exports/actividades.yaml", old, new, of: "yaquedamos").found
        #expect(found.map(\.code) == (code.map { [$0] } ?? []), "\(found.map { $0.line(Texts.shipped, .english) })")
    }

    @Test("A sheet from SQL states its columns and binds what is known", arguments: [
        ("columns:\n      category: {like: activities.category}", "columns:\n      category: {like: activities.kind}", PackMistake.Code.unknownName),
        ("      people: {type: integer, label: label.people}", "      people: {type: number, label: label.people}", .badValue),
        ("    sql: |\n      SELECT a.category", "    sql: |\n      DELETE a.category", .sql),
        ("WHERE t.user_id IN (SELECT id FROM selected)", "WHERE t.user_id = :person", .unknownName),
        ("  - sheet: participacion\n", "  - sheet: participacion\n    order: [category]\n", .unfitKey),
        ("  - sheet: participacion\n", "  - sheet: participacion\n    entity: activities\n", .exclusive),
        ("label: label.people}", "label: label.persons}", .missingText),
    ]) func aQueryIsChecked(_ old: String, _ new: String, _ code: PackMistake.Code) throws {
        try expect(code, "exports/anonimizado.yaml", old, new)
    }

    @Test("An anonymous export keeps nothing that leads to a person", arguments: [
        ("entities/users.yaml", "anonymous: {band: 200}", "anonymous: keep", PackMistake.Code.badValue),
        ("entities/users.yaml", "anonymous: {band: 200}", "anonymous: {band: 1}", .badValue),
        ("entities/users.yaml", "anonymous: {band: 200}", "anonymous: {period: month}", .unfitKey),
        ("entities/users.yaml", "anonymous: {band: 200}", "anonymous: hide", .badValue),
        ("entities/users.yaml", "pair: home_latitude", "pair: latitude", .badPath),
        ("entities/users.yaml", "pair: home_latitude", "pair: home_place", .wrongField),
        ("entities/users.yaml", "anonymous: {period: year}", "anonymous: {period: decade}", .badValue),
        ("exports/anonimizado.yaml", "    order: [id]\n    suppress", "    rows: referenced\n    order: [id]\n    suppress", .badValue),
        ("exports/anonimizado.yaml", "of: id, below: 5", "of: person, below: 5", .unknownName),
        ("exports/anonimizado.yaml", "of: id, below: 5", "of: id, below: 1", .badValue),
        ("exports/anonimizado.yaml", "suppress: {by: [need], of: person", "suppress: {by: [report], of: person", .unknownName),
        ("exports/anonimizado.yaml", "      - activity_id.category", "      - {number: export_id}", .unknownName),
    ]) func anAnonymousExportIsChecked(_ file: String, _ old: String, _ new: String, _ code: PackMistake.Code) throws {
        try expect(code, file, old, new)
    }

    private func expect(_ code: PackMistake.Code, _ file: String, _ old: String, _ new: String) throws {
        let found = try DeclarationTests.mistakes(file, old, new, of: "yaquedamos").found
        let mistake = try #require(found.first { $0.code == code }, "\(found.map { $0.line(Texts.shipped, .english) })")
        // A missing text is missing in the files of texts.
        if code != .missingText {
            #expect(
                mistake.file == "yaquedamos/" + file && mistake.line > 1, "\(mistake.line(Texts.shipped, .english))")
        }
    }

    /// What a field does not say is shown in the way that tells least.
    @Test func fieldsAreShownInTheWayThatTellsLeast() throws {
        var pack = try PackLoader.load("yaquedamos", from: ProjectFolder.root.appendingPathComponent("Templates"))
        pack.privacyClasses = ["public", "internal", "personal", "secret"]
        func anonymity(_ type: FieldType, _ privacy: String, vocabulary: String? = nil, stated: Anonymity? = nil) -> Anonymity {
            var field = Field(name: "x", type: type)
            (field.privacy, field.vocabulary, field.anonymity) = (privacy, vocabulary, stated)
            return pack.anonymity(of: field)
        }
        for type in FieldType.allCases {
            #expect(anonymity(type, "secret", stated: .keep) == .omit)
            #expect(anonymity(type, "personal") == (type == .uuid ? .pseudonym : .omit))
        }
        #expect(anonymity(.datetime, "public") == .period(.month) && anonymity(.date, "internal") == .period(.month))
        #expect(anonymity(.integer, "public") == .keep && anonymity(.integer, "internal") == .omit && anonymity(.boolean, "public") == .keep)
        #expect(anonymity(.text, "public") == .omit && anonymity(.text, "public", vocabulary: "v") == .keep && anonymity(.text, "internal", vocabulary: "v") == .omit)
        #expect([FieldType.time, .json, .point, .polygon, .list].allSatisfy { anonymity($0, "public") == .omit })
        #expect(anonymity(.text, "personal", stated: .pseudonym) == .pseudonym)
    }
}
