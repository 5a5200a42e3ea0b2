internal import Model
internal import Web

/// Finds out which tables and columns a server has, and the person may read, where no function of
/// ours tells it: by asking for the pack's columns until none is refused. The interface's own
/// description of itself is not shown to everybody.
struct TableColumns {
    let server: RestServer

    /// The columns of each table that is there.
    func columns(of pack: Pack) throws -> [String: Set<String>] {
        try pack.centralEntities.reduce(into: [:]) { found, entity in found[entity.name] = try columns(of: entity) }
    }

    /// Nil: there is no such table, or the person may not read it.
    private func columns(of entity: Entity) throws -> Set<String>? {
        // A column may have a field's former name still.
        let fields = entity.centralFields.flatMap { [entity.fields[$0].name] + entity.fields[$0].formerNames }
        var names = fields + SupabaseRemote.times.filter { !fields.contains($0) }
        while !names.isEmpty {
            do {
                _ = try server.ask(.init(method: .get, path: entity.name, query: [("select", names.joined(separator: ",")), ("limit", "0")]))
                return Set(names)
            } catch SupabaseFailure.refused(_, "42703", let message) {
                // `column calicatas.side does not exist`
                guard let missing = Self.column(in: message), let index = names.firstIndex(of: missing) else {
                    throw SupabaseFailure.notAnswering(address: server.settings.url, reason: "unknown column")
                }
                names.remove(at: index)
            } catch SupabaseFailure.refused(_, "42501", _) {
                return try readable(names, of: entity)
            } catch SupabaseFailure.refused(_, let state, _) where ["42P01", "PGRST205"].contains(state) {
                return nil
            }
        }
        return nil
    }

    /// The columns that the person may read, asked for one by one: the refusal does not say which one
    /// it means.
    private func readable(_ names: [String], of entity: Entity) throws -> Set<String>? {
        let found = try names.filter { name in
            do {
                _ = try server.ask(.init(method: .get, path: entity.name, query: [("select", name), ("limit", "0")]))
                return true
            } catch SupabaseFailure.refused(_, let state, _) where ["42501", "42703"].contains(state) { return false }
        }
        return found.isEmpty ? nil : Set(found)
    }

    private static func column(in message: String) -> String? {
        let words = message.split(separator: " ")
        guard let index = words.firstIndex(of: "column"), index + 1 < words.count else { return nil }
        return words[index + 1].split(separator: ".").last.map { $0.filter { $0 != "\"" } }
    }
}
