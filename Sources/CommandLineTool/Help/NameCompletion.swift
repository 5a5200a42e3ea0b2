import ArgumentParser
import Foundation
import Model
import Pipeline
import Replica

/// The names that a shell completes: of the replica's pack, and of what its person sees in the replica. No server is
/// asked, and a source that cannot be read gives no names: messages would stand in the middle of the command.
struct NameCompletion {
    enum Kind: Sendable {
        case exports, reports, jobs, roles, states, entities, projects
        /// Records by the code that people know.
        case records
        /// `field=value`, for a field of the record or the table that the command names.
        case values
    }

    /// The most names that are offered: nobody reads more.
    private static let most = 200

    private let session: WorkSession
    private let words: [String]
    private var pack: Pack { session.pack }

    /// - Parameter words: the command line so far.
    private init(_ words: [String]) throws {
        let options = ["--replica", "--templates", "--config", "--actor", "--lang"].flatMap { option in
            EarlySetting.value(of: option, in: words).map { [option, $0] } ?? []
        }
        session = try .new(try CommonOptions.parse(options + ["--quiet", "--progress", "never"]), packName: nil)
        self.words = words
    }

    /// The names that begin as the word that is being typed.
    static func names(_ kind: Kind, _ words: [String], _ typed: String) -> [String] {
        let all = (try? NameCompletion(words).all(kind, typed)) ?? []
        return Array(Set(all.filter { $0.hasPrefix(typed) }).sorted().prefix(most))
    }

    private func all(_ kind: Kind, _ typed: String) throws -> [String] {
        switch kind {
        case .exports: return pack.exports.map(\.name)
        case .reports: return pack.reports.map(\.name)
        case .jobs: return pack.jobs.map(\.name)
        case .roles: return pack.roles.map(\.name)
        case .entities: return pack.entities.filter { $0.writer == .people }.map(\.name)
        case .states:
            let states = pack.records.compactMap { pack.entity($0.root) }.compactMap { root in
                root.states.flatMap { root.field($0.field)?.vocabulary }.flatMap { pack.vocabulary($0) }
            }
            return states.flatMap(\.values)
        case .projects:
            let (replica, actor) = try reader()
            return try session.workProjects(of: actor, replica).map(\.code)
        case .records:
            let (replica, actor) = try reader()
            return try replica.recordNames(projectIDs: projects(of: actor, replica), actor: actor)
        case .values: return try values(typed)
        }
    }

    private func reader() throws -> (Replica, Actor) {
        let replica = try session.openReplica(waiting: 0)
        return (replica, try session.actor(in: replica, to: .read))
    }

    private func projects(of actor: Actor, _ replica: Replica) throws -> [String] {
        try session.workProjectIDs(of: actor, EarlySetting.value(of: "--project", in: words), replica)
    }

    private func values(_ typed: String) throws -> [String] {
        let (replica, actor) = try reader()
        guard let entity = try entity(replica, actor) else { return [] }
        let fields = entity.fields.filter { $0.name != "id" && actor.sees($0, of: pack) }
        guard let equals = typed.firstIndex(of: "="), let field = fields.first(where: { $0.name == typed[..<equals] })
        else { return fields.map { $0.name + "=" } }
        let choices = field.type == .boolean
            ? [session.text("word.yes"), session.text("word.no")]
            : field.vocabulary.flatMap { pack.vocabulary($0) }?.values ?? []
        return choices.map { field.name + "=" + $0 }
    }

    /// The table that the command line names, or that of the record that it names.
    private func entity(_ replica: Replica, _ actor: Actor) throws -> Entity? {
        if let table = words.lazy.compactMap({ pack.entity($0) }).first { return table }
        let projects = try projects(of: actor, replica)
        return words.dropFirst(2).lazy.filter { !$0.hasPrefix("-") }.compactMap {
            try? replica.record(named: $0, projectIDs: projects, actor: actor).entity
        }.first
    }
}

extension CompletionKind {
    /// Names out of the pack and the replica.
    static func names(of kind: NameCompletion.Kind) -> CompletionKind {
        .custom { words, _, typed in NameCompletion.names(kind, words, typed) }
    }
}
