import Foundation
import Importing
import Model
import Pipeline
import Postgres
import Yams

/// The settings of an office: a YAML file, some of whose keys an environment variable or an option
/// can override. The file contains no secrets: passwords and tokens are not among its keys.
struct Configuration: Sendable, Hashable {
    struct Supabase: Sendable, Hashable {
        var url: String?
        /// The public key: publishable, or the older `anon`.
        var key: String?
        /// File with the certificates of the authorities that may sign the server's certificate.
        var authority: String?
    }

    /// Path of the configuration file; nil if there is none.
    var path: String?
    var replica: String?
    var templates: String?
    var actor: String?
    var language: String?
    var timeZone: String?
    var environment: String?
    var organisation: String?
    var output: String?
    /// The central database behind the web interfaces of a Supabase project.
    var supabase = Supabase()
    /// The central database as a PostgreSQL server.
    var postgres: PostgresSettings?
    /// The folders for an exchange with a sync partner by packages.
    var packages: PackageFolders?
    /// The networks on which a sync transfers files, and how many at once.
    var files = FilePolicy()
    /// The path of `brand.yaml`, with the firm's appearance in documents.
    var brand: String?
    /// Limits for the reading of files, which protect this machine.
    var limits = TableLimits()

    /// With whom the replica syncs. A PostgreSQL server has precedence over a Supabase project.
    func syncing(_ environment: [String: String]) -> SyncSetting {
        let remote = postgres.map(RemoteAddress.postgres)
            ?? supabase.url.map { .supabase(url: $0, key: supabase.key, authority: supabase.authority) }
        var setting = SyncSetting()
        (setting.remote, setting.packages, setting.files) = (remote, packages, files)
        (setting.network, setting.token) = (environment["FICHERO_NETWORK"], environment["SUPABASE_ACCESS_TOKEN"])
        return setting
    }

    private static let keys = [
        "replica", "templates", "actor", "language", "timeZone", "environment", "orgId", "output", "brand", "supabase",
        "postgres", "packages", "files", "limits",
    ]

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
        default: brand = value
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
        guard let mapping = node.mapping else {
            throw .configurationInvalid(path: path, line: node.mark?.line, reason: "not a mapping")
        }
        for (key, value) in mapping {
            let line = key.mark?.line
            guard let name = key.scalar?.string, keys.contains(name) else {
                let known = keys.sorted().joined(separator: ", ")
                throw .configurationInvalid(
                    path: path, line: line, reason: "\(key.scalar?.string ?? "?"): unknown; known: \(known)")
            }
            if name == "limits" {
                try configuration.setLimits(value, path: path)
                continue
            }
            if name == "postgres" {
                try configuration.setPostgres(value, path: path)
                continue
            }
            if name == "packages" {
                try configuration.setPackages(value, path: path)
                continue
            }
            if name == "supabase" {
                try configuration.setSupabase(value, path: path)
                continue
            }
            if name == "files" {
                try configuration.setFiles(value, path: path)
                continue
            }
            guard let scalar = value.scalar else {
                throw .configurationInvalid(path: path, line: line, reason: "\(name): not a plain value")
            }
            configuration.set(name, to: scalar.string)
        }
        return configuration
    }

    /// The configuration may not contain the password, which comes from `PGPASSWORD` or
    /// PostgreSQL's password file.
    private mutating func setPostgres(_ node: Node, path: String) throws(SettingFailure) {
        let values = try Self.values(of: "postgres", node, ["authority", "database", "host", "port", "user"], path)
        func invalid(_ reason: String) -> SettingFailure {
            .configurationInvalid(path: path, line: node.mark?.line, reason: "postgres: " + reason)
        }
        guard let host = values["host"], let database = values["database"], let user = values["user"] else {
            throw invalid("host, database and user are needed")
        }
        guard let port = Int(values["port"] ?? "5432"), (1...65_535).contains(port) else {
            throw invalid("port: not a port")
        }
        postgres = PostgresSettings(
            host: host, port: port, database: database, user: user, authority: values["authority"])
    }

    /// The configuration may not contain the password, which comes from `FICHERO_PASSWORD` or is
    /// typed.
    private mutating func setSupabase(_ node: Node, path: String) throws(SettingFailure) {
        let values = try Self.values(of: "supabase", node, ["authority", "key", "url"], path)
        guard let url = values["url"] else {
            throw .configurationInvalid(path: path, line: node.mark?.line, reason: "supabase: url is needed")
        }
        supabase = Supabase(url: url, key: values["key"], authority: values["authority"])
    }

    /// Refuses one folder for both directions, so that sent packages are not received again.
    private mutating func setPackages(_ node: Node, path: String) throws(SettingFailure) {
        let values = try Self.values(of: "packages", node, ["receive", "send"], path)
        func invalid(_ reason: String) -> SettingFailure {
            .configurationInvalid(path: path, line: node.mark?.line, reason: "packages: " + reason)
        }
        guard let send = values["send"], let receive = values["receive"] else {
            throw invalid("send and receive are needed")
        }
        packages = PackageFolders(
            send: URL(fileURLWithPath: send).standardizedFileURL.path,
            receive: URL(fileURLWithPath: receive).standardizedFileURL.path)
        let (one, other) = ((packages?.send ?? "") + "/", (packages?.receive ?? "") + "/")
        guard !one.hasPrefix(other), !other.hasPrefix(one) else {
            throw invalid("send and receive are one folder, or one lies in the other")
        }
    }

    /// `files: {networks: [wifi, wired], atOnce: 3}`
    private mutating func setFiles(_ node: Node, path: String) throws(SettingFailure) {
        func invalid(_ reason: String) -> SettingFailure {
            .configurationInvalid(path: path, line: node.mark?.line, reason: "files: " + reason)
        }
        guard let mapping = node.mapping else { throw invalid("not a mapping of names to values") }
        var networks: [String]?, atOnce: String?
        for (key, value) in mapping {
            switch key.scalar?.string {
            case "networks":
                guard let list = value.sequence else { throw invalid("networks: not a list") }
                networks = list.map { $0.scalar?.string ?? "?" }
            case "atOnce": atOnce = value.scalar?.string ?? "?"
            case let other: throw invalid("\(other ?? "?"): unknown; known: atOnce, networks")
            }
        }
        do { files = try FilePolicy(networks: networks, atOnce: atOnce) } catch { throw invalid(error.text) }
    }

    private static func values(of key: String, _ node: Node, _ known: [String], _ path: String) throws(SettingFailure)
        -> [String: String]
    {
        guard let mapping = node.mapping else {
            throw .configurationInvalid(
                path: path, line: node.mark?.line, reason: key + ": not a mapping of names to values")
        }
        var values: [String: String] = [:]
        for (name, value) in mapping {
            guard let text = name.scalar?.string, known.contains(text), let value = value.scalar?.string else {
                let reason = "\(key): \(name.scalar?.string ?? "?"): unknown; known: \(known.joined(separator: ", "))"
                throw .configurationInvalid(path: path, line: name.mark?.line, reason: reason)
            }
            values[text] = value
        }
        return values
    }

    private mutating func setLimits(_ node: Node, path: String) throws(SettingFailure) {
        guard let mapping = node.mapping else {
            throw .configurationInvalid(
                path: path, line: node.mark?.line, reason: "limits: not a mapping of names to values")
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

    /// How harmful a mistake in an environment is. If variable and file differ, the more harmful
    /// one applies, so that a leftover variable cannot remove the protection of PROD.
    private static func danger(_ environment: String) -> Int {
        ["DEV", "STAGING", "PROD"].firstIndex(of: environment) ?? 0
    }

    private func overridden(by environment: [String: String]) -> Configuration {
        var result = self
        result.replica = environment["FICHERO_REPLICA"] ?? replica
        result.actor = environment["FICHERO_ACTOR"] ?? actor
        result.language = environment["FICHERO_LANG"] ?? language
        result.environment = [environment["APP_ENV"], self.environment].compactMap(\.self).max {
            Self.danger($0) < Self.danger($1)
        }
        result.organisation = environment["FICHERO_ORG_ID"] ?? organisation
        result.supabase.url = environment["SUPABASE_URL"] ?? supabase.url
        result.supabase.key =
            environment["SUPABASE_PUBLISHABLE_KEY"] ?? environment["SUPABASE_ANON_KEY"] ?? supabase.key
        return result
    }
}

/// `postgresql://USER@HOST:PORT/DATABASE`, a connection URI as in PostgreSQL's libpq.
///
/// The address must not contain a password, since other users can see a command's arguments. The
/// password comes from `PGPASSWORD` or the password file.
struct DatabaseAddress {
    let settings: PostgresSettings

    init(_ text: String) throws(SettingFailure) {
        guard let parts = URLComponents(string: text), parts.password == nil, let host = parts.host, !host.isEmpty,
            let user = parts.user, !user.isEmpty, parts.path.count > 1
        else {
            throw .badDatabaseAddress
        }
        settings = PostgresSettings(
            host: host, port: parts.port ?? 5432, database: String(parts.path.dropFirst()), user: user)
    }
}
