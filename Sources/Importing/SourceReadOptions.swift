import Foundation
package import Model

/// Settings with which the source of an import was read, stored with the import. A retry of
/// rejected rows needs them to look up values in other tables of the source.
package struct SourceReadOptions: Codable, Sendable, Hashable {
    /// The whole file or folder.
    package var path: String
    private var encoding: String?
    private var separator: UInt8?
    private var isWithoutMemos: Bool?
    private var excluded: [String]?
    /// Limits that differ from the defaults.
    private var limits: [String: Int]?

    /// Creation time of the sync partner's package; nil for an ordinary file.
    package private(set) var exchangeVersion: String?

    package init(path: String, ofExchange version: String) { (self.path, exchangeVersion) = (path, version) }

    package init(path: String, _ options: TableOptions = TableOptions()) {
        self.path = path
        (encoding, separator) = (options.encoding?.rawValue, options.separator)
        isWithoutMemos = options.isWithoutMemos ? true : nil
        excluded = options.excluded.isEmpty ? nil : options.excluded
        for bound in ReadingBound.all where options.limits[bound] != bound.standard {
            limits = (limits ?? [:]).merging([bound.name: options.limits[bound]]) { $1 }
        }
    }

    /// Nil if the text is not the JSON of such settings.
    package init?(json: String) {
        guard let known = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else { return nil }
        self = known
    }

    package var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    /// The options with which the source was read; limits set for this run take precedence over the
    /// stored ones.
    func options(_ own: TableLimits) -> TableOptions {
        var options = TableOptions(limits: own, encoding: encoding.flatMap(TextEncoding.init), separator: separator)
        options.isWithoutMemos = isWithoutMemos ?? false
        options.excluded = excluded ?? []
        for bound in ReadingBound.all where own[bound] == bound.standard {
            if let value = limits?[bound.name] { options.limits[bound] = value }
        }
        return options
    }
}

/// Information that a source does not contain: settings from the user, and contents of the replica.
package struct SourceOptions {
    /// The table that the rows belong to; nil: determined by the file's name.
    package var entity: String?
    /// The project that a drawing belongs to.
    package var projectID: String?
    package var limits = PackageLimits()
    /// Layouts of the folders that apps export, as packs define them.
    package var folders: [PlanFolder] = []
    /// Whether the source is a sync partner's package. Rows that its event log creates may then be
    /// in another package of the partner.
    package var isPart = false
    /// Whether the replica has a row of an entity with this id.
    package var isKnown: (_ entity: String, _ id: String) throws -> Bool = { _, _ in false }

    package init(entity: String? = nil, projectID: String? = nil, limits: PackageLimits = PackageLimits()) {
        self.entity = entity
        self.projectID = projectID
        self.limits = limits
    }
}
