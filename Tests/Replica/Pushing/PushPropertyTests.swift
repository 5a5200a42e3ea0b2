import Foundation
import JSONReading
import Model
import Testing
import Workbench

@testable import Replica

/// Random changes here and there, with failures, conflicts and answers that are lost. In the end
/// the queue is empty, and both sides have the same rows.
@Suite struct PushPropertyTests {
    @Test(arguments: SeededNumbers.seeds(20_261_123, 5, 11)) func bothSidesAgreeInTheEnd(seed: UInt64) throws {
        var random = SeededNumbers(seed)
        let scene = try PushScene()
        try scene.addProjects()
        // The projects are everybody's: no undo takes them away.
        try scene.push()
        var pits: [String] = [], lost: Set<RowKey> = [], changedThere: Set<RowKey> = []
        var counts: [String: Int] = [:]
        var next = 0
        func pit() -> String? { pits.randomElement(using: &random) }
        for step in 0..<400 {
            let word = ["add", "edit", "edit", "part", "delete", "there", "there", "goneThere", "undo", "push", "push", "decide"].randomElement(using: &random)!
            do {
                switch word {
                case "add":
                    next += 1
                    try scene.addPit("c\(next)", in: PushScene.projects.randomElement(using: &random)!, parts: ["s\(next)a", "s\(next)b"])
                    pits.append("c\(next)")
                case "edit":
                    if let pit = pit() { try scene.edit(pit, "title", .text("here \(step)")) }
                case "part":
                    if let pit = pit() { try scene.edit("s\(pit.dropFirst())a", "depth_to_m", .real(Double(step) + 0.5), of: "calicata_cortes") }
                case "delete":
                    if let pit = pit(), Int.random(in: 0..<2, using: &random) == 0 { try scene.delete(pit) }
                case "there":
                    if let pit = pit() {
                        let key = Bool.random(using: &random) ? RowKey(entity: "calicatas", id: pit) : RowKey(entity: "calicata_cortes", id: "s\(pit.dropFirst())a")
                        scene.server.edit(key, key.entity == "calicatas" ? "title" : "sucs", .string("there \(step)"))
                        changedThere.insert(key)
                    }
                case "goneThere":
                    if let pit = pit() {
                        let key = RowKey(entity: "calicata_cortes", id: "s\(pit.dropFirst())b")
                        scene.server.rows[key] = nil
                        changedThere.insert(key)
                    }
                case "undo": try scene.undoLast()
                case "push":
                    scene.clock += Double.random(in: -40...200, using: &random)
                    try scene.push(most: Int.random(in: 1...20, using: &random), isWaiting: true) { item in
                        switch Int.random(in: 0..<20, using: &random) {
                        case 0:
                            counts["failed", default: 0] += 1
                            return .failed(class: PushFailureClass.allCases.randomElement(using: &random)!, message: "no luck")
                        case 1:
                            // The server has it, and nobody heard of it.
                            lost.insert(RowKey(entity: item.entity, id: item.rowID))
                            _ = scene.server.take(item)
                            return nil
                        default:
                            let result = scene.server.take(item)
                            if case .contested = result { counts["contested", default: 0] += 1 }
                            return result
                        }
                    }
                default:
                    if let conflict = try scene.conflicts().randomElement(using: &random) { try scene.end(conflict, Bool.random(using: &random) ? .local : .remote) }
                }
                counts[word, default: 0] += 1
            } catch let failure as any Failure {
                // The rules refused it: the record is in conflict or gone, or something was built
                // on what is to be undone.
                counts["refused \(word) \(failure.code)", default: 0] += 1
            }
        }
        func finish() throws {
            for _ in 0..<30 {
                try scene.push(most: 7) { scene.server.take($0) }
                let open = try scene.conflicts()
                for conflict in open {
                    do {
                        try scene.end(conflict, Bool.random(using: &random) ? .local : .remote)
                    } catch is any Failure {
                        // Their part of a record that was removed here, or their removal of a part
                        // that nobody may remove here: what is here counts.
                        try scene.end(conflict, .local)
                    }
                }
                if try open.isEmpty && scene.sql("SELECT count(*) FROM sync_queue") == ["0"] { return }
            }
            Issue.record("seed \(seed): \(try scene.sql("SELECT operation, entity_type, entity_id, last_error FROM sync_queue")) \(scene.hold.counts)")
        }
        try finish()
        #expect(try scene.sql("SELECT id, (SELECT group_concat(resolution_status || remote_payload) FROM conflicts WHERE entity_id = c.id) FROM calicatas AS c WHERE sync_state = 'conflict' UNION ALL SELECT id, (SELECT group_concat(resolution_status || remote_payload) FROM conflicts WHERE entity_id = c.id) FROM calicata_cortes AS c WHERE sync_state = 'conflict'") == [], "seed \(seed)")
        // What only the server changed comes with a pull. Here, a change of each such row finds it.
        for key in changedThere.union(lost).sorted(by: { ($0.entity, $0.id) < ($1.entity, $1.id) }) where key.entity != "projects" {
            guard try scene.fields(key) != nil else { continue }
            let field = key.entity == "calicatas" ? "depth_m" : "depth_from_m"
            try scene.edit(key.id, field, .real(0.25), of: key.entity)
        }
        try finish()
        for entity in ["projects", "calicatas", "calicata_cortes"] {
            let here = try scene.sql("SELECT id FROM \(entity)")
            for id in here {
                let key = RowKey(entity: entity, id: id)
                #expect(try scene.fields(key) == scene.server.rows[key]?.fields, "seed \(seed): \(key)")
                let states = try scene.sql("SELECT sync_state, own_mark, remote_updated_at FROM \(entity) WHERE id = '\(id)'")
                #expect(states == ["synced|0|\(scene.server.rows[key]?.version ?? "-")"], "seed \(seed): \(key)")
            }
            // What was taken back here after an answer was lost is known to the server alone.
            let there = scene.server.rows.keys.filter { $0.entity == entity && !here.contains($0.id) && !lost.contains($0) }
            #expect(there.isEmpty, "seed \(seed): \(there)")
        }
        #expect(try scene.sql("SELECT count(*) FROM row_bases") == ["0"], "seed \(seed)")
        #expect(try scene.sql("PRAGMA foreign_key_check; PRAGMA integrity_check") == ["ok"])
        #expect(counts["failed", default: 0] > 4 && counts["contested", default: 0] > 10 && lost.count > 2, "seed \(seed): \(counts)")
        #expect(counts["undo", default: 0] > 5 && counts["decide", default: 0] > 5 && counts["delete", default: 0] > 3, "seed \(seed): \(counts)")
    }
}
