import Digests
import Model

/// The columns that the replica itself keeps in every table of a pack, after the pack's own.
package enum SystemColumn: String, CaseIterable, Sendable {
    /// One of the six states of a local row (`SyncState`).
    case syncState = "sync_state"
    /// Grows with every local change of the row.
    case localVersion = "local_version"
    /// When the remote last changed the row, by the remote's clock.
    case remoteUpdatedAt = "remote_updated_at"
    /// Number of the write transaction that last changed the row's content; marks by Fichero itself
    /// do not count.
    case contentStamp = "content_stamp"
    /// 1: the only change since the row was synced is Fichero's own mark; the row still counts as
    /// synced.
    case ownMark = "own_mark"
    /// Number in `import_sources` of the file (and sheet) that the row was imported from; null for
    /// rows of any other origin.
    case importSource = "import_source"
    /// The row's number in that file or sheet, counted as people count it there; null if it has
    /// none.
    case importRow = "import_row"
    /// The comparison form of the row's name, if it differs from the name (`KeyText`,
    /// `Entity.keyText`); else null.
    case keyText = "key_text"

    var definition: String {
        switch self {
        case .syncState:
            // The value of new rows is tested first, separately: a search in a list takes SQLite
            // longer than all the rest of a row's checks.
            "sync_state TEXT NOT NULL DEFAULT 'local_only' CHECK (sync_state = 'local_only' OR sync_state IN ("
                + SyncState.allCases.filter { $0 != .localOnly }.map { SQLText.literal($0.rawValue) }.joined(separator: ", ") + "))"
        case .localVersion: "local_version INTEGER NOT NULL DEFAULT 1"
        case .remoteUpdatedAt: "remote_updated_at TEXT"
        case .contentStamp: "content_stamp INTEGER NOT NULL DEFAULT 0"
        case .ownMark: "own_mark INTEGER NOT NULL DEFAULT 0 CHECK (own_mark IN (0, 1))"
        case .importSource: "import_source INTEGER"
        case .importRow: "import_row INTEGER"
        case .keyText: "key_text TEXT"
        }
    }

    /// The storage class as `PRAGMA table_info` reports it.
    var storage: String {
        switch self {
        case .syncState, .remoteUpdatedAt, .keyText: "TEXT"
        case .localVersion, .contentStamp, .ownMark, .importSource, .importRow: "INTEGER"
        }
    }
}

/// Names and texts in SQL syntax. Names come from a checked pack and are quoted all the same.
package enum SQLText {
    package static func name(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    package static func names(_ names: [String]) -> String {
        names.map(name).joined(separator: ", ")
    }

    package static func literal(_ text: String) -> String {
        // A statement ends at a NUL character.
        guard !text.utf8.contains(0) else { return "CAST(x'\(text.utf8.hexadecimal)' AS TEXT)" }
        return "'" + text.replacing("'", with: "''") + "'"
    }
}
