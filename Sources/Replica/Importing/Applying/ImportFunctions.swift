import Foundation
import GRDB
import GRDBSQLite
import Model

/// What the statements of an import need beyond SQL: `fichero_id()`, a new UUIDv7 greater than the last one, and `fichero_row_ENTITY(…)`, a
/// new row's values as the JSON of a queue item, in the order of the entity's fields, those that are NULL left out, and
/// `fichero_project_ENTITY(parent)`, the project of a row that belongs to this parent.
enum ImportFunctions {
    static func json(_ entity: Entity) -> String { SQLText.name("fichero_row_" + entity.name) }

    /// - Returns: what the functions need as long as they are used.
    static func register(on db: Database, pack: Pack, time: Date) throws -> [ProjectAnswer] {
        guard let handle = unsafe db.sqliteConnection else { return [] }
        var answers: [ProjectAnswer] = []
        var ids = RisingIDs(at: time)
        unsafe SQLFunctions.addWriter("fichero_id", 0, handle, isPure: false) { _, bytes in
            ids.appendNext(to: &bytes)
            return true
        }
        for entity in pack.entities {
            let members = RowMembers(entity.fields.map(\.name))
            unsafe SQLFunctions.addWriter("fichero_row_" + entity.name, CInt(entity.fields.count), handle) { arguments, bytes in
                arguments.appendObject(members, to: &bytes)
                return true
            }
            guard let path = entity.projectPath?.parts, path.count > 1 else { continue }
            let query = EntityRows.project(of: entity, in: pack, row: "t").replacing("t." + SQLText.name(path[0]), with: "?1")
            let answer = ProjectAnswer(try PreparedStatement(db, "SELECT " + query))
            answers.append(answer)
            // The statement must be gone before the connection, which keeps the function.
            unsafe SQLFunctions.addWriter("fichero_project_" + entity.name, 1, handle, isPure: false) { [weak answer] arguments, bytes in
                answer?.append(arguments, to: &bytes) ?? false
            }
        }
        return answers
    }

    static func project(_ entity: Entity) -> String { SQLText.name("fichero_project_" + entity.name) }

    /// The project to which what a row belongs to leads; rows of one parent come together, so that the last answer is mostly the next.
    final class ProjectAnswer {
        private let query: PreparedStatement
        private var parent: [UInt8] = []
        private var project: [UInt8]?

        init(_ query: PreparedStatement) {
            self.query = query
        }

        fileprivate func append(_ arguments: FunctionArguments, to bytes: inout [UInt8]) -> Bool {
            if parent.isEmpty || !arguments.isText(0, parent) {
                let text = arguments.text(0)
                (parent, project) = (Array((text ?? "").utf8), nil)
                defer { query.reset() }
                guard (try? query.bind(text, at: 1)) != nil, (try? query.step()) == true else { return false }
                project = query.text(0).map { Array($0.utf8) }
            }
            guard let project else { return false }
            bytes.append(contentsOf: project)
            return true
        }
    }
}

/// UUIDs of version 7 of one instant, each greater than the one before by a random step (RFC 9562, 6.2, method 2): rows that get them
/// one after the other go to the end of their index.
struct RisingIDs {
    private let milliseconds: UInt64
    private var high: UInt64
    private var low: UInt64
    private var generator = SystemRandomNumberGenerator()
    /// Steps drawn ahead: to ask the kernel for each takes longer than all else.
    private var steps: [UInt32] = []

    init(at date: Date) {
        milliseconds = UInt64(max(0, (date.timeIntervalSince1970 * 1000).rounded(.down))) & 0xFFFF_FFFF_FFFF
        high = UInt64.random(in: 0...0x7FF, using: &generator)
        low = UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF, using: &generator)
    }

    mutating func next() -> String {
        var bytes: [UInt8] = []
        appendNext(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    mutating func appendNext(to bytes: inout [UInt8]) {
        if steps.isEmpty {
            for _ in 0..<128 {
                let drawn = generator.next()
                steps.append(UInt32(truncatingIfNeeded: drawn >> 32))
                steps.append(UInt32(truncatingIfNeeded: drawn))
            }
        }
        low += UInt64(max(1, steps.removeLast()))
        if low > 0x3FFF_FFFF_FFFF_FFFF {
            low &= 0x3FFF_FFFF_FFFF_FFFF
            high += 1
        }
        UUIDv7.append(milliseconds << 16 | 0x7000 | (high & 0xFFF), 0x8000_0000_0000_0000 | low, to: &bytes)
    }
}
