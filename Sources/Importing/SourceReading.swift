import Foundation

/// How the source of an import was read, kept with it: by this its rejected rows find what other tables of the source say of them.
package struct SourceReading: Codable, Sendable, Hashable {
    /// The whole file or folder.
    package var path: String
    private var encoding: String?
    private var separator: UInt8?
    private var isWithoutMemos: Bool?
    /// Bounds that are not the usual ones.
    private var limits: [String: Int]?

    package init(path: String, _ options: TableOptions = TableOptions()) {
        self.path = path
        (encoding, separator) = (options.encoding?.rawValue, options.separator)
        isWithoutMemos = options.isWithoutMemos ? true : nil
        for bound in ReadingBound.all where options.limits[bound] != bound.standard {
            limits = (limits ?? [:]).merging([bound.name: options.limits[bound]]) { $1 }
        }
    }

    /// Nil for a text that is none.
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

    /// As the source was read; bounds that are set for this run hold before those of then.
    func options(_ own: TableLimits) -> TableOptions {
        var options = TableOptions(limits: own, encoding: encoding.flatMap(TextEncoding.init), separator: separator)
        options.isWithoutMemos = isWithoutMemos ?? false
        for bound in ReadingBound.all where own[bound] == bound.standard {
            if let value = limits?[bound.name] { options.limits[bound] = value }
        }
        return options
    }
}
