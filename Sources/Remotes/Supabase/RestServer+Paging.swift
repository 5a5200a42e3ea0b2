internal import Model
internal import Web

/// Rows page by page, by rising ids: answers are cut in silence at the server's own limit, so the
/// end is a page that is empty, or a first page that has as many rows as the server counts.
extension RestServer {
    /// Rows that are asked for at once. Servers may send fewer: Supabase's standard is 1,000.
    static let pageSize = 5000
    /// What the first page asks for: the server counts the rows by itself.
    static func preferences(after: String?) -> [String] { after == nil ? ["count=exact"] : [] }

    /// Gives each row to a body, with its id, which is the first value. Returns how many rows the
    /// server counted with the first page; a function of ours counts no more than a page.
    ///
    /// - Parameter page: asks for the rows behind an id, and with `preferences(after:)`.
    @discardableResult
    func eachRow(
        _ rows: inout RestRows, _ page: (_ after: String?) throws -> WebAnswer,
        _ body: (borrowing RestRows, String) throws -> Void
    ) throws -> Int {
        var counted = 0, taken = 0
        try pages { last in
            var newest: String?
            let answer = try page(last)
            if last == nil { counted = try total(answer) }
            try read(answer, &rows) { row in
                // Ids rise within a page and from page to page, so that no row comes twice.
                guard let id = row.text(0), (newest ?? last).map({ $0 < id }) ?? true else {
                    throw SupabaseFailure.notAnswering(address: settings.url, reason: "rows out of order")
                }
                newest = id
                taken += 1
                try body(row, id)
            }
            return last == nil && taken == counted && counted < Self.pageSize ? nil : newest
        }
        return counted
    }

    /// Gives the rows in batches, and returns their number, and what `eachRow` returns.
    func batches(
        _ rows: inout RestRows, columns: Int, _ page: (_ after: String?) throws -> WebAnswer, _ take: (inout RowBatch) throws -> Void
    ) throws -> (taken: Int, counted: Int) {
        var batch = RowBatch(columnCount: columns)
        var taken = 0
        let counted = try eachRow(&rows, page) { row, _ in
            row.append(to: &batch)
            taken += 1
            if batch.isFull {
                try take(&batch)
                batch.removeAll()
            }
        }
        if batch.rowCount > 0 { try take(&batch) }
        return (taken, counted)
    }

    /// The number of rows that an answer says there are: `Content-Range: 0-0/2500`, or `*/0`.
    func total(_ answer: WebAnswer) throws -> Int {
        guard let range = answer.headers["content-range"], let total = Int(range.split(separator: "/").last ?? "") else {
            throw SupabaseFailure.notAnswering(address: settings.url, reason: "no count in the answer")
        }
        return total
    }

    /// The ids of the projects that the person sees.
    func projects(_ pack: Pack) throws -> [String] {
        var found: [String] = []
        var rows = RestRows([("id", .uuid)])
        try eachRow(&rows) { after in
            let query = [("select", "id"), ("order", "id.asc"), ("limit", String(Self.pageSize))] + (after.map { [("id", "gt." + $0)] } ?? [])
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
    /// The field within `select`: JSON within JSON would lose the form in which it was written.
    var selected: String { [.json, .point, .polygon, .list].contains(type) ? name + "::text" : name }
}
