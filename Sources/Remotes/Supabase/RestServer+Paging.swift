internal import Model
internal import Web

/// Reads rows page by page, by rising ids. The server silently cuts replies at its limit. So only
/// an empty page, or a first page with as many rows as the server counts, is the end.
extension RestServer {
    /// Number of rows in one request. Servers may send fewer: Supabase's default limit is 1,000.
    static let pageSize = 5000
    /// HTTP preferences: the server counts the rows, only for the first page.
    static func preferences(after: String?) -> [String] { after == nil ? ["count=exact"] : [] }

    /// Passes each row to a body, with its id, which is the first value. Returns the number of rows
    /// that the server counted with the first page; Fichero's functions count only the page's rows.
    ///
    /// - Parameter page: requests a number of rows after an id, with `preferences(after:)`.
    @discardableResult
    func eachRow(
        _ rows: inout RestRows, _ page: (_ after: String?, _ most: Int) throws -> WebAnswer,
        _ body: (borrowing RestRows, String) throws -> Void
    ) throws -> Int {
        var counted = 0, taken = 0, most = Self.pageSize
        try pages { last in
            var newest: String?
            let asked = try fitting(&most) { try page(last, $0) }
            let answer = asked.answer
            if last == nil { counted = try total(answer) }
            try read(answer, &rows) { row in
                // Ids rise within a page and from page to page, so that no row is received twice.
                guard let id = row.text(0), (newest ?? last).map({ $0 < id }) ?? true else {
                    throw SupabaseFailure.notAnswering(address: settings.url, reason: "rows out of order")
                }
                newest = id
                taken += 1
                try body(row, id)
            }
            return last == nil && taken == counted && counted < asked.most ? nil : newest
        }
        return counted
    }

    /// Requests fewer rows if those of a page are too long together, and more after a success.
    /// Returns how many were requested.
    private func fitting(
        _ most: inout Int, _ page: (Int) throws -> WebAnswer
    ) throws -> (answer: WebAnswer, most: Int) {
        while true {
            do {
                let answer = try page(most)
                defer { most = min(Self.pageSize, most * 2) }
                return (answer, most)
            } catch let failure as WebFailure where failure.isTooLarge && most > 1 {
                most = max(1, most / 70)
            }
        }
    }

    /// Passes the rows on in batches; returns their number and the result of `eachRow`.
    ///
    /// - Parameter selected: the requested columns, the id first.
    func batches(
        of entity: Entity, _ rows: inout RestRows, columns: Int, selecting selected: [String],
        _ page: (_ after: String?, _ most: Int, _ selected: [String]) throws -> WebAnswer,
        _ take: (inout RowBatch) throws -> Void
    ) throws -> (taken: Int, counted: Int) {
        var batch = RowBatch(columnCount: columns)
        var (taken, last) = (0, String?.none)
        func longValue(_ id: String, _ field: String) -> RemoteFailure {
            .longValue(address: settings.url, table: entity.name, id: id, field: field)
        }
        do {
            let counted = try eachRow(&rows) { try page($0, $1, selected) } _: { row, id in
                if let long = row.firstLong { throw longValue(id, long) }
                row.append(to: &batch)
                (taken, last) = (taken + 1, id)
                if batch.isFull {
                    try take(&batch)
                    batch.removeAll()
                }
            }
            if batch.rowCount > 0 { try take(&batch) }
            return (taken, counted)
        } catch let failure as WebFailure where failure.isTooLarge {
            // Even one row is too long, so the column with the too long value is searched.
            let id = try self.rows(page(last, 1, [selected[0]]), ["id"]).first?.first ?? nil
            let long = try selected.dropFirst().first { column in
                do {
                    _ = try page(last, 1, [selected[0], column])
                    return false
                } catch let failure as WebFailure where failure.isTooLarge {
                    return true
                }
            }
            guard let id, let field = long?.split(separator: ":").first else { throw failure }
            throw longValue(id, String(field))
        }
    }

    /// The number of rows that a reply reports: `Content-Range: 0-0/2500`, or `*/0`.
    func total(_ answer: WebAnswer) throws -> Int {
        guard let range = answer.headers["content-range"], let total = Int(range.split(separator: "/").last ?? "")
        else {
            throw SupabaseFailure.notAnswering(address: settings.url, reason: "no count in the answer")
        }
        return total
    }

    /// The ids of the projects that the person sees.
    func projects(_ pack: Pack) throws -> [String] {
        var found: [String] = []
        var rows = RestRows([("id", .uuid)])
        try eachRow(&rows) { after, most in
            let behind = after.map { [("id", "gt." + $0)] } ?? []
            let query = [("select", "id"), ("order", "id.asc"), ("limit", String(most))] + behind
            return try ask(
                .init(
                    method: .get, path: pack.project.entity, query: query, preferences: Self.preferences(after: after)))
        } _: { _, id in
            found.append(id)
        }
        return found
    }
}

extension Field {
    /// The field in the parameter `select`. JSON is requested as text, to preserve its written
    /// form.
    var selected: String { [.json, .point, .polygon, .list].contains(type) ? name + "::text" : name }
}
