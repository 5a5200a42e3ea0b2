import Foundation
import Importing
import Model
import Postgres
import Yams

/// The settings of an office: a YAML file of plain keys, each of which an environment variable or
/// an option can override. It holds no secrets: keys and tokens come from the environment only.
struct Configuration: Sendable, Hashable {
    /// The file; nil if there is none.
    var path: String?
    var replica: String?
    var templates: String?
    var actor: String?
    var language: String?
    var timeZone: String?
    var environment: String?
    var organisation: String?
    var output: String?
    /// Where the central database is on the web; nil: nowhere.
    var remote: String?
    /// The central database as a PostgreSQL server.
    var postgres: PostgresSettings?
    /// The firm's look on documents (`brand.yaml`).
    var brand: String?
    /// Bounds on what files may make this machine do.
    var limits = TableLimits()

    private static let keys = ["replica", "templates", "actor", "language", "timeZone", "environment", "orgId", "output", "brand", "supabaseUrl", "postgres", "limits"]

    private mutating func set(_ key: String, to value: String) {
        switch key {
        case "replica": replica = value
        case "templates": templates = value
        case "actor": actor = value
        case "language": language = value
        case "timeZone": timeZone = value
        case "environment": environment = value
        case "orgId": organisation = value
        case "output": output = value
        case "brand": brand = value
        default: remote = value
        }
    }

    static func load(option: String?, environment: [String: String]) throws(SettingFailure) -> Configuration {
        let stated = option ?? environment["FICHERO_CONFIG"]
        let path = stated ?? "fichero.yaml"
        var configuration = Configuration()
        if let data = FileManager.default.contents(atPath: path) {
            configuration = try parse(String(decoding: data, as: UTF8.self), path: path)
            configuration.path = path
        } else if let stated {
            throw .configurationMissing(path: stated)
        }
        return configuration.overridden(by: environment)
    }

    static func parse(_ text: String, path: String) throws(SettingFailure) -> Configuration {
        var configuration = Configuration()
        let node: Node?
        do {
            node = try Yams.compose(yaml: text)
        } catch {
            throw .configurationInvalid(path: path, line: nil, reason: "not YAML: \(error)")
        }
        guard let node else { return configuration }
        guard let mapping = node.mapping else { throw .configurationInvalid(path: path, line: node.mark?.line, reason: "not a mapping") }
        for (key, value) in mapping {
            let line = key.mark?.line
            guard let name = key.scalar?.string, keys.contains(name) else {
                let known = keys.sorted().joined(separator: ", ")
                throw .configurationInvalid(path: path, line: line, reason: "\(key.scalar?.string ?? "?"): unknown; known: \(known)")
            }
            if name == "limits" {
                try configuration.setLimits(value, path: path)
                continue
            }
            if name == "postgres" {
                try configuration.setPostgres(value, path: path)
                continue
            }
            guard let scalar = value.scalar else { throw .configurationInvalid(path: path, line: line, reason: "\(name): not a plain value") }
            configuration.set(name, to: scalar.string)
        }
        return configuration
    }

    /// There is no place for a password here: it comes from `PGPASSWORD` or the password file.
    private mutating func setPostgres(_ node: Node, path: String) throws(SettingFailure) {
        func invalid(_ reason: String, _ line: Int?) -> SettingFailure { .configurationInvalid(path: path, line: line, reason: "postgres: " + reason) }
        guard let mapping = node.mapping else { throw invalid("not a mapping of names to values", node.mark?.line) }
        var values: [String: String] = [:]
        for (key, value) in mapping {
            let name = key.scalar?.string ?? "?"
            guard ["host", "port", "database", "user", "authority"].contains(name), let text = value.scalar?.string else {
                throw invalid("\(name): unknown; known: authority, database, host, port, user", key.mark?.line)
            }
            values[name] = text
        }
        guard let host = values["host"], let database = values["database"], let user = values["user"] else {
            throw invalid("host, database and user are needed", node.mark?.line)
        }
        guard let port = Int(values["port"] ?? "5432"), (1...65_535).contains(port) else { throw invalid("port: not a port", node.mark?.line) }
        postgres = PostgresSettings(host: host, port: port, database: database, user: user, authority: values["authority"])
    }

    private mutating func setLimits(_ node: Node, path: String) throws(SettingFailure) {
        guard let mapping = node.mapping else {
            throw .configurationInvalid(path: path, line: node.mark?.line, reason: "limits: not a mapping of names to values")
        }
        for (key, value) in mapping {
            let name = key.scalar?.string ?? "?"
            do {
                try limits.set(name, to: value.scalar?.string ?? "")
            } catch {
                throw .configurationInvalid(path: path, line: key.mark?.line, reason: "limits: \(error)")
            }
        }
    }

    private func overridden(by environment: [String: String]) -> Configuration {
        var result = self
        result.replica = environment["FICHERO_REPLICA"] ?? replica
        result.actor = environment["FICHERO_ACTOR"] ?? actor
        result.language = environment["FICHERO_LANG"] ?? language
        result.environment = environment["APP_ENV"] ?? self.environment
        result.organisation = environment["FICHERO_ORG_ID"] ?? organisation
        result.remote = environment["SUPABASE_URL"] ?? remote
        return result
    }
}
