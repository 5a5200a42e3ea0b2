import Foundation
import Testing

@testable import Model
@testable import Validating

/// Batches of rows go through a second thread. No finding may be lost, doubled or out of order
/// there.
@Suite struct RowPassTests {
    private static let pack = TestPack.make(
        entities: [
            Entity(name: "things", key: ["number"], fields: [TestPack.id, Field(name: "number", type: .integer), Field(name: "x", type: .decimal, maximum: 10)])
        ],
        rules: [
            Rule(code: "X-NEGATIVE", entity: "things", severity: .warning, field: "x", check: .row(.isNull(.field(FieldPath("x")), negated: true)))
        ])

    private static func source(rows: Int) throws -> SQLiteSource {
        let source = try SQLiteSource(pack)
        try source.run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
            INSERT INTO things (id, number, x)
            SELECT printf('00000000-0000-7000-8000-%012d', i), i, CASE WHEN i % 97 = 0 THEN 11 WHEN i % 89 = 0 THEN NULL ELSE 1.5 END FROM n WHERE i <= \(rows)
            """)
        return source
    }

    @Test(arguments: [0, 1, 255, 256, 257, 512, 1024, 1025, 5000]) func findsEveryFaultOnceInOrder(rows: Int) throws {
        let list = FindingList()
        let summary = try Validator(pack: Self.pack).validate(try Self.source(rows: rows), into: list, scope: .rows)
        #expect(summary.rows["things"] == rows)
        let expected = (1...max(rows, 1)).filter { $0 <= rows }.compactMap { number -> String? in
            number % 97 == 0 ? "FIELD-RANGE \(number)" : number % 89 == 0 ? "X-NEGATIVE \(number)" : nil
        }
        #expect(list.findings.map { "\($0.code) \($0.place.key ?? "")" } == expected)
    }

    /// A source that fails in the middle of its rows.
    private final class Breaking: RowSource {
        struct Broken: Error {}
        let columnCount = 3
        private var batches = 0

        func fill(_ batch: inout RowBatch) throws {
            batch.removeAll()
            batches += 1
            if batches == 4 { throw Broken() }
            while !batch.isFull {
                batch.append("00000000-0000-7000-8000-000000000001")
                batch.append(Int64(1))
                batch.append(1.5)
                batch.endRow()
            }
        }
    }

    @Test func aFailureOfTheSourceEndsThePassAndItsThread() throws {
        let source = try SQLiteSource(Self.pack)
        let plan = try EntityPlan(Self.pack.entities[0], pack: Self.pack, source: source)
        let writer = FindingWriter(pack: Self.pack, source: source, sink: FindingList(), seconds: 1)
        var pass = RowPass(plan, pack: Self.pack, source: source, writer: writer, seconds: 1)
        #expect(throws: Breaking.Broken.self) { try pass.run(Breaking()) { _ in } }
    }

    private final class Refusing: FindingSink {
        struct Refused: Error {}
        func add(_ finding: Finding) throws { throw Refused() }
    }

    @Test func aFailureOfTheSinkEndsThePassAndItsThread() throws {
        #expect(throws: Refusing.Refused.self) {
            try Validator(pack: Self.pack).validate(try Self.source(rows: 60_000), into: Refusing(), scope: .rows)
        }
    }
}
