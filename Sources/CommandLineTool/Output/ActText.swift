import Foundation
import Model
import Pipeline
import Replica

/// Acts of people, formatted for display: who, when by the office's clock, what became of which
/// field, and why. Tables, fields and words of vocabularies have their labels.
struct ActText {
    private let session: WorkSession
    private var pack: Pack { session.pack }
    private var words: RecordWords { RecordWords(session) }

    /// The most names that one line lists.
    private static let mostNames = 4

    init(_ session: WorkSession) { self.session = session }

    func text(_ acts: [Act]) -> String {
        acts.isEmpty ? session.text("cli.history.none") : acts.map(block).joined(separator: "\n")
    }

    func text(_ life: RecordLife, first limit: Int) -> String {
        let head = words.table(life.entity) + " " + (life.name ?? "…" + life.id.suffix(8))
        let more = life.acts.count - limit
        return [head, "", text(Array(life.acts.prefix(limit)))].joined(separator: "\n")
            + (more > 0 ? "\n" + session.text("cli.more", ["count": String(more)]) : "")
    }

    private func block(_ act: Act) -> String {
        let clocks = TwoClocks(session: session)
        var lines: [String] = []
        for (index, deed) in act.deeds.enumerated() {
            let (head, facts) = said(deed)
            let sentence = act.isClaimed ? session.text("cli.history.claimed", ["action": head]) : head
            if index == 0 {
                let who = act.who ?? session.text("cli.history.own")
                let undone = act.undoneAt == nil ? "" : " (" + session.text("cli.history.undone") + ")"
                lines.append(clocks.time(written: act.writtenAt, stated: act.time) + "  \(who): \(sentence)\(undone)")
            } else {
                lines.append("  " + sentence)
            }
            lines += facts.map { "    " + $0 }
        }
        if let reason = act.reason {
            lines.append("    \(session.text("cli.columns.reason")): \(RecordWords.short(reason))")
        }
        return lines.joined(separator: "\n")
    }

    // MARK: One deed

    /// A deed as a sentence, and the lines below it.
    private func said(_ deed: Act.Deed) -> (String, [String]) {
        var arguments = deed.facts.merging(deed.records.first?.facts ?? [:]) { $1 }
        var lines: [String] = []
        switch deed.records.count {
        case 0: arguments["what"] = deed.entity.map { words.table($0) } ?? ""
        case 1 where deed.count == 1:
            arguments["what"] = deed.entity.map { words.table($0) + " " }.map { $0 + name(deed.records[0]) }
            lines = fields(deed.records[0], deed.entity)
        default:
            let table = words.tables(deed.entity ?? "") + " (\(deed.count))"
            let first = fields(deed.records[0], deed.entity)
            if deed.records.allSatisfy({ fields($0, deed.entity) == first }) {
                let names = deed.records.prefix(Self.mostNames).map(name)
                arguments["what"] = table + ": " + (names + more(deed.count - names.count)).joined(separator: ", ")
                lines = first
            } else {
                arguments["what"] = table
                lines = deed.records.map { name($0) + ": " + fields($0, deed.entity).joined(separator: "; ") }
                lines += more(deed.count - deed.records.count)
            }
        }
        if let code = arguments["code"] { arguments["finding"] = session.findingText.title(of: code) }
        if let kept = arguments["kept"] { arguments["kept"] = session.text("cli.conflicts.status." + kept) }
        if let document = arguments["document"] { arguments["document"] = title(of: document, deed.action) }
        if let time = arguments["time"] { arguments["time"] = TwoClocks(session: session).time(time) }
        if let until = arguments["until"] { arguments["until"] = session.language.day(until) ?? until }
        if let file = arguments["file"], !file.isEmpty, deed.action.hasPrefix("row_") {
            let place = [file, arguments["sheet"], arguments["row"]].compactMap(\.self).joined(separator: ":")
            arguments["what"] = (arguments["what"] ?? "") + " (\(place))"
        }
        return (sentence(deed, arguments), lines + tables(deed))
    }

    private func sentence(_ deed: Act.Deed, _ arguments: [String: String]) -> String {
        guard let template = pack.texts.textIfAny("cli.history.act." + name(of: deed), in: session.language) else {
            return session.text("cli.history.act.other", arguments.merging(["action": deed.action]) { $1 })
        }
        return Texts.fill(template, with: ["project": "—"].merging(arguments) { $1 })
    }

    /// The name of a deed's sentence. Not every reader sees the name of an imported file.
    private func name(of deed: Act.Deed) -> String {
        guard deed.action == "import" else { return deed.action }
        let isNamed = deed.facts["file"]?.isEmpty == false
        return (deed.facts["format"] == "exchange" ? "exchange" : "import") + (isNamed ? "" : "_unnamed")
    }

    private func title(of document: String, _ action: String) -> String {
        let keys = ["export.\(document)", "report.\(document).title"]
        let texts = (action == "export_registered" ? keys : keys.reversed()).lazy.compactMap {
            pack.texts.textIfAny($0, in: session.language)
        }
        return texts.first ?? document
    }

    /// What an import did, one line for each outcome: `New: Test pits 6, Strata 30`.
    private func tables(_ deed: Act.Deed) -> [String] {
        ["imported", "updated", "conflict", "rejected", "waiting"].compactMap { outcome in
            let told = (deed.tables ?? []).compactMap { table in
                table.counts[outcome].map { count in
                    (table.entity.isEmpty ? "—" : words.tables(table.entity)) + " \(count)"
                }
            }
            guard !told.isEmpty else { return nil }
            return session.text("cli.import.columns." + outcome) + ": " + told.joined(separator: ", ")
        }
    }

    private func more(_ count: Int) -> [String] {
        count > 0 ? [session.text("cli.more", ["count": String(count)])] : []
    }

    // MARK: Names and values

    private func name(_ record: Act.Record) -> String { record.name ?? "…" + record.id.suffix(8) }

    private func fields(_ record: Act.Record, _ entity: String?) -> [String] {
        guard let entity = entity.flatMap({ pack.entity($0) }) else { return [] }
        return record.fields.filter { entity.field($0.field) != nil }.map { change in
            words.change(
                of: change.field, in: entity.name, from: change.beforeName ?? change.before,
                to: change.afterName ?? change.after)
        }
    }
}
