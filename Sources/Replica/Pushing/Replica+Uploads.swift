import GRDB

extension Replica {
    /// The address of an upload that was begun and is not over; nil: there is none of these bytes.
    package func upload(of sha256: String, to place: String, at remote: String) throws -> String? {
        try read { db in
            try String.fetchOne(
                db, sql: "SELECT address FROM main.file_uploads WHERE remote = ? AND place = ? AND sha256 = ?", arguments: [remote, place, sha256])
        }
    }

    /// Keeps the address of an upload; nil: it is over. What nobody went on with for a day is
    /// forgotten, because no server keeps it for longer.
    package func keepUpload(_ address: String?, of sha256: String, to place: String, at remote: String) throws {
        try write { db in
            guard let address else {
                return try db.execute(sql: "DELETE FROM main.file_uploads WHERE remote = ? AND place = ?", arguments: [remote, place])
            }
            try db.execute(sql: "DELETE FROM main.file_uploads WHERE begun_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 day')")
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO main.file_uploads (remote, place, sha256, address, begun_at)
                    VALUES (?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
                    """, arguments: [remote, place, sha256, address])
        }
    }
}
