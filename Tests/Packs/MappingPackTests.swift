import Foundation
import Testing

@testable import Model
@testable import Packs

/// Mappings as packs write them: how their values are read, and how mistakes in nested values are
/// found.
@Suite struct MappingPackTests {
    private static let text = """
        import: old
        blank: [n/a]
        lookups:
          side: {D: right}
        tables:
          - tables: [Pits]
            columns:
              factor: {from: Site, take: Unit, type: decimal, convert: [{lookup: side}]}
            rows:
              - entity: works
                key: [code]
                onlyNew: [title]
                fields:
                  id: {identifier: [{from: Site, take: Name}, Code]}
                  code: {from: Works, key: [Id], by: [{from: Pits, key: [Id], by: [Pit], take: Work}], take: Code, as: rank}
                  title:
                    merge:
                      - object: {height: Height, side: {column: Side, convert: [{lookup: side}]}}
                      - {from: Data, key: [Of], by: [Id], schema: {name: Name, value: Value, unit: Unit, scope: type}}
        """

    private static func pack(_ text: String = text) -> SamplePack {
        var pack = SamplePack().adding("pits/imports/old.yaml", text)
        for language in ["es", "en"] {
            pack = pack.replacing("job.monthly:", with: "import.old: Old\njob.monthly:", in: "pits/texts/\(language).yaml")
        }
        return pack
    }

    @Test func valuesWithinValuesAreRead() throws {
        let mapping = try #require(try Self.pack().load().mapping("old"))
        #expect(mapping.blanks == ["n/a"])
        let table = mapping.tables[0]
        #expect(table.columns[0].type == .decimal)
        guard case .other(let unit)? = table.columns[0].other?.value else { return #expect(Bool(false), "no lookup") }
        #expect(unit.key.isEmpty && unit.by.isEmpty)
        #expect(table.columns[0].other?.conversions == [.lookup("side")])
        #expect(table.targets[0].onlyNew == ["title"])
        let fields = table.targets[0].fields
        guard case .identifier(let parts) = fields[0].value, case .other(let code) = fields[1].value, case .merge(let objects) = fields[2].value else {
            return #expect(Bool(false), "other values")
        }
        #expect(parts.count == 2)
        guard case .other(let pit) = code.by[0].value, case .column(["Pit"]) = pit.by[0].value, case .value(["Code"], .rank, _) = code.content else {
            return #expect(Bool(false), "no third table")
        }
        guard case .object(let members) = objects[0].value, case .other(let data) = objects[1].value,
            case .schema(["Name"], ["Value"], ["Unit"], "type") = data.content
        else { return #expect(Bool(false), "no objects") }
        #expect(members.map(\.name) == ["height", "side"])
        #expect(members[1].conversions == [.lookup("side")])
    }

    @Test(arguments: [
        (PackMistake.Code.unknownName, "convert: [{lookup: side}]}\n    rows", "convert: [{lookup: sight}]}\n    rows"),
        (.unknownName, "{column: Side, convert: [{lookup: side}]}", "{column: Side, convert: [{lookup: sight}]}"),
        (.badValue, "by: [{from: Pits, key: [Id], by: [Pit], take: Work}]", "by: [{from: Pits, key: [Id, Id], by: [Pit], take: Work}]"),
        (.badValue, "scope: type", "scope: room"),
        (.badValue, "code: {from: Works", "code: {zone: Lima, from: Works"),
    ])
    func mistakesWithinValuesAreFound(_ code: PackMistake.Code, _ old: String, _ new: String) throws {
        let text = Self.text.replacing(old, with: new)
        #expect(text != Self.text)
        #expect(try Self.pack(text).mistakes().map(\.code).contains(code))
    }

    @Test("Only a database keeps files in its cells, and a mapping that reads them takes nothing else")
    func contents() throws {
        func keys(_ accepts: String) throws -> [String?] {
            let text = Self.text.replacing("blank:", with: accepts + "blank:").replacing("key: [code]", with: "key: [code]\n        photo: {content: Image}")
            return try Self.pack(text).mistakes().map { $0.arguments["key"] }
        }
        #expect(try keys("").contains("accepts") && keys("accepts: [csv, sqlite]\n").contains("accepts"))
        #expect(try !keys("accepts: [sqlite]\n").contains("accepts"))
    }
}
