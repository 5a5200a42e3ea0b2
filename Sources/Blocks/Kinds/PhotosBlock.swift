import Model

/// Photos of a query's rows in a grid, with their captions.
struct PhotosBlock: Block {
    static let name = "photos"
    static let keys: [BlockKey] = [
        .title, .query, .required("path", .column(.query), "Column with the photo's path."),
        .required("caption", .text(.query), "Key of a text, or a pattern over the photo's row."),
        .optional("stamp", .text(.query), "What is set on the photo's foot: key of a text, or a pattern."),
        .optional(
            "link", .text(.query),
            """
            Address of the original in the web: a pattern over the photo's row. What is no address of the web leads \
            nowhere and is left out.
            """
        ),
        .optional("columns", .integer(1...6), "How many stand side by side; 3 by default."), .height, .empty,
    ]

    private let title: ReportText?
    private let query: String
    /// Column with the photo's path, relative to the replica's folder.
    private let path: String
    private let caption: ReportText
    private let stamp: ReportText?
    private let link: ReportText?
    private let columns: Int
    private let height: Double
    private let empty: ReportText?

    init?(_ template: PackNode) {
        guard let query = template.text("query"), let path = template.text("path"),
            let caption = template.reportText("caption")
        else { return nil }
        title = template.reportText("title")
        self.query = query
        self.path = path
        self.caption = caption
        stamp = template.reportText("stamp")
        link = template.reportText("link")
        columns = template.integer("columns") ?? 3
        height = template.height ?? 55
        empty = template.reportText("empty")
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> PhotosContent? {
        guard let query = context.query(self.query) else { return nil }
        let rows = try context.rows(self.query, for: row)
        let found = try rows.map { photo in
            let (picture, missing) = try context.photos.picture(at: photo.text(path))
            return PhotosContent.Photo(
                picture: picture, missing: missing, stamp: context.text(stamp, photo).flatMap { $0.isEmpty ? nil : $0 },
                caption: context.text(caption, photo) ?? "",
                link: context.text(link, photo).flatMap { Self.isOfWeb($0) ? .address($0) : nil })
        }
        let empty = context.text(empty, row)
        if found.isEmpty, empty == nil { return nil }
        return PhotosContent(
            title: context.text(title, row, totalsOf: rows, query), columns: columns, millimetres: height,
            photos: found, empty: empty)
    }

    /// Whether an address begins with `https://` or `http://`.
    private static func isOfWeb(_ address: String) -> Bool {
        let lower = address.lowercased()
        return lower.hasPrefix("https://") || lower.hasPrefix("http://")
    }
}

package struct PhotosContent: BlockContent {
    package struct Photo: Sendable {
        /// The picture, scaled down; nil if there is none, with the reason in `missing`.
        package var picture: ReportPicture?
        package var missing: String?
        /// Place and time of the photo, in one or more lines; printed at the photo's lower edge.
        package var stamp: String?
        package var caption: String
        /// Link to the original.
        package var link: ReportCell.Link?
    }

    package var title: String?
    package var columns: Int
    /// Height of a picture, in millimetres.
    package var millimetres: Double
    package var photos: [Photo]
    package var empty: String?
}
