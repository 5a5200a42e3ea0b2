import Foundation

/// The records that a run selects, as requested on the command line or in a job.
package struct SelectionRequest: Sendable, Hashable, Codable {
    /// Codes of projects; empty: every project that the actor is a member of.
    package var projects: [String]
    /// Record states; empty: every state.
    package var states: [String]
    /// Sync states; nil: the default (synced if a remote is configured; otherwise all but
    /// `conflict` and `error`).
    package var syncStates: [SyncState]?
    /// First day and last day (inclusive, `yyyy-MM-dd`, in the office's time zone) of the record's
    /// date.
    package var from: String?
    package var to: String?
    /// The circle in which the record's place must be.
    package var near: Nearby?
    /// Words that the record's texts must contain, as a person types them: `SearchedWords`.
    package var words: String?
    /// An expression of the pack's language over the record's root.
    package var filter: String?
    /// The period in the names of the files: `2026-11`. `from` and `to` define which records belong
    /// to it.
    package var period: String?

    package init(
        projects: [String] = [], states: [String] = [], syncStates: [SyncState]? = nil, from: String? = nil,
        to: String? = nil,
        near: Nearby? = nil, words: String? = nil, filter: String? = nil
    ) {
        self.projects = projects
        self.states = states
        self.syncStates = syncStates
        self.from = from
        self.to = to
        self.near = near
        self.words = words
        self.filter = filter
    }
}

extension SelectionRequest {
    /// Whether it selects records by their contents, which may single out one person.
    package var singlesOut: Bool { filter != nil || near != nil || words != nil }
}

/// The sync state of a local row or file.
package enum SyncState: String, Sendable, Codable, CaseIterable {
    case localOnly = "local_only"
    case pendingUpload = "pending_upload"
    case pendingDownload = "pending_download"
    case synced
    case conflict
    case error
}

/// The reason why a record of a visible project is not selected. A record has one reason: the first
/// that applies in this order.
package enum LeftOutReason: String, Sendable, Codable, CaseIterable {
    case state
    case date
    case place, words
    case filter
    case syncState = "sync-state"
    /// Withheld because of findings of severity error.
    case findings
}

/// The result of a selection in one project.
package struct SelectionSummary: Sendable, Hashable, Codable {
    package var projectID: String
    package var projectCode: String
    package var projectName: String
    /// Records selected.
    package var selected: Int
    /// Records left out, by reason.
    package var leftOut: [LeftOutReason: Int]

    package init(
        projectID: String, projectCode: String, projectName: String, selected: Int, leftOut: [LeftOutReason: Int]
    ) {
        self.projectID = projectID
        self.projectCode = projectCode
        self.projectName = projectName
        self.selected = selected
        self.leftOut = leftOut
    }
}

/// One record that was left out.
package struct LeftOutRecord: Sendable, Hashable, Codable {
    package var id: String
    /// The record's readable name.
    package var key: String
    package var reason: LeftOutReason
    /// The decisive value: the sync state, the state, the date, the finding codes.
    package var detail: String

    package init(id: String, key: String, reason: LeftOutReason, detail: String) {
        self.id = id
        self.key = key
        self.reason = reason
        self.detail = detail
    }
}

/// The words by which a person searches records' texts: `huerto comunal "plaza mayor"`. Every word,
/// and every phrase in quotation marks, must occur somewhere; a word may be the beginning of a
/// longer one. Case and accents make no difference.
package struct SearchedWords: Sendable, Hashable {
    /// The words as a query of SQLite's FTS5: https://www.sqlite.org/fts5.html, section 3.
    package let query: String

    /// Returns nil if there is no letter and no digit to search.
    package init?(_ text: String) {
        let terms = text.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap { number, part in
            // The text after an odd number of quotation marks is a phrase.
            number.isMultiple(of: 2)
                ? part.split(whereSeparator: \.isWhitespace).filter(Self.isSearchable).map { "\"\($0)\" *" }
                : [part].filter(Self.isSearchable).map { "\"\($0)\"" }
        }
        guard !terms.isEmpty else { return nil }
        query = terms.joined(separator: " AND ")
    }

    private static func isSearchable(_ text: Substring) -> Bool { text.contains { $0.isLetter || $0.isNumber } }
}

/// A circle in which records are selected: `--near -12.0677,-75.2102 --within 10km`.
package struct Nearby: Sendable, Hashable, Codable {
    /// The centre, in degrees on WGS 84; north and east are positive.
    package let latitude: Double
    package let longitude: Double
    /// The radius.
    package let metres: Double
    /// The text as given.
    private let stated: String

    /// Returns nil for a place that is not on the Earth, and for an invalid distance.
    ///
    /// - Parameters:
    ///   - place: latitude and longitude, with a decimal point and a comma between them.
    ///   - distance: a number and its unit, `m` or `km`.
    package init?(place: String, distance: String) {
        let degrees = place.split(separator: ",", omittingEmptySubsequences: false).map {
            Self.number($0.trimmingCharacters(in: .whitespaces))
        }
        guard degrees.count == 2, let latitude = degrees[0], let longitude = degrees[1], abs(latitude) <= 90,
            abs(longitude) <= 180
        else { return nil }
        let text = distance.trimmingCharacters(in: .whitespaces).lowercased()
        let isKilometres = text.hasSuffix("km")
        guard text.hasSuffix("m"),
            let number = Self.number(text.dropLast(isKilometres ? 2 : 1).trimmingCharacters(in: .whitespaces)),
            number > 0
        else { return nil }
        (self.latitude, self.longitude, metres) = (latitude, longitude, isKilometres ? number * 1000 : number)
        stated = "\(latitude),\(longitude) ≤ \(text)"
    }

    /// A number in plain notation: no exponent, no infinity.
    private static func number(_ text: String) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 || $0 == 45 }) else {
            return nil
        }
        return Double(text)
    }
}

extension Nearby: CustomStringConvertible {
    package var description: String { stated }
}
