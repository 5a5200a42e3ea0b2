internal import CCairo
package import PDFArchive

/// A PDF file of many pages, written as it grows: vectors, embedded fonts, searchable text that can
/// be copied, structure, attachments. The file is PDF/A-3b.
///
/// Equal pages give equal bytes, because dates are given by the caller. A document must be used
/// from one thread at a time. Before `finish()` has run, the file is not a valid PDF.
@safe package final class PDFDocument {
    package struct Metadata: Sendable, Hashable {
        package var title: String
        package var author: String
        package var subject: String
        package var keywords: String
        /// The program that requested the file.
        package var creator: String
        /// ISO 8601 with seconds and `Z` or an offset, `2026-03-01T10:00:00Z`.
        package var created: String
        package var modified: String
        /// The language's code, such as `es`.
        package var language: String

        package init(
            title: String, author: String = "", subject: String = "", keywords: String = "", creator: String = "",
            created: String,
            modified: String? = nil, language: String = "es"
        ) {
            self.title = title
            self.author = author
            self.subject = subject
            self.keywords = keywords
            self.creator = creator
            self.created = created
            self.modified = modified ?? created
            self.language = language
        }

        var description: ArchiveDescription {
            ArchiveDescription(
                title: title, author: author, subject: subject, keywords: keywords, creator: creator,
                producer: unsafe "Fichero, cairo \(String(cString: cairo_version_string()))", created: created,
                modified: modified, language: language)
        }
    }

    package let typesetter: Typesetter
    /// Receives every text on every page.
    package var recorder: TextRecorder?
    package private(set) var pageCount = 0

    private let archive: ArchiveWriter
    private let sink: CairoOutput
    private let surface: OpaquePointer
    private let tiles = TileCache()
    private var page: Canvas?
    private var isFinished = false

    /// - Parameter receive: gets the file in pieces; an error that it throws is rethrown as
    ///   `CanvasFailure.writing`.
    package init(
        _ metadata: Metadata, typesetter: Typesetter? = nil, writing receive: @escaping ([UInt8]) throws -> Void
    ) throws(CanvasFailure) {
        self.typesetter = if let typesetter { typesetter } else { try Typesetter() }
        let archive = ArchiveWriter(metadata.description, writing: receive)
        self.archive = archive
        sink = CairoOutput(pieceSize: 1) { try archive.take($0) }
        unsafe surface = cairo_pdf_surface_create_for_stream(
            CairoOutput.write, Unmanaged.passUnretained(sink).toOpaque(), 595, 842)
        try CanvasFailure.check(unsafe cairo_surface_status(surface))
        // cairo's metadata have a fixed date; the archive's metadata replace them.
        unsafe cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, metadata.created)
    }

    deinit {
        // A canvas may outlive the document and still retain the surface. Nothing more is written
        // to the closed sink.
        sink.isClosed = true
        unsafe cairo_surface_finish(surface)
        unsafe cairo_surface_destroy(surface)
    }

    /// The root of the document's structure.
    package var structure: StructureElement { archive.structure }

    /// Begins a page of a given size in points.
    package func beginPage(width: Double, height: Double) throws(CanvasFailure) -> Canvas {
        guard page == nil, !isFinished else { throw .wrongOrder("a page begins before the last one ended") }
        unsafe cairo_pdf_surface_set_size(surface, width, height)
        let canvas = unsafe Canvas(
            surface: surface, kind: .pdf, width: width, height: height, typesetter: typesetter,
            page: archive.beginPage(height: height), tiles: tiles)
        recorder?.page = pageCount
        canvas.recorder = recorder
        page = canvas
        return canvas
    }

    package func endPage() throws(CanvasFailure) {
        guard let canvas = page else { throw .wrongOrder("a page ends that did not begin") }
        page = nil
        pageCount += 1
        unsafe cairo_show_page(canvas.context)
        try checkWriting()
        try canvas.check()
        try archiving { try archive.endPage() }
    }

    /// Draws one page with a closure.
    package func page(width: Double, height: Double, _ draw: (Canvas) throws -> Void) throws {
        let canvas = try beginPage(width: width, height: height)
        try draw(canvas)
        try endPage()
    }

    /// Adds an entry to the outline, below another entry or at the top level.
    /// - Returns: its number, for use as the parent of further entries.
    @discardableResult
    package func addOutline(_ title: String, to destination: String, below parent: Int? = nil, isOpen: Bool = false)
        -> Int
    {
        archive.addOutline(title, to: destination, below: parent, isOpen: isOpen)
    }

    /// Attaches a file with the pages' data.
    package func attach(_ attachment: Attachment) { archive.attach(attachment) }

    /// Writes the rest of the file.
    /// - Throws: for links to places that are on no page, and for every earlier error.
    package func finish() throws(CanvasFailure) {
        guard page == nil, !isFinished else { throw .wrongOrder("a document ends within a page, or twice") }
        isFinished = true
        unsafe cairo_surface_finish(surface)
        try checkWriting()
        try CanvasFailure.check(unsafe cairo_surface_status(surface))
        try archiving { try archive.finish() }
    }

    private func archiving(_ body: () throws -> Void) throws(CanvasFailure) {
        do { try body() } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: any Error) -> CanvasFailure {
        switch error {
        case ArchiveFailure.unknownDestination(let name): .unknownDestination(name)
        case let failure as ArchiveFailure: .archive(failure)
        default: .writing(error)
        }
    }

    private func checkWriting() throws(CanvasFailure) {
        if let failure = sink.failure { throw Self.failure(failure) }
    }
}

/// A repeating pattern: it draws one cell, in points from the cell's corner.
///
/// Layers are drawn one over the other for all cells together, each with one stroke or fill. This
/// makes a page of tiles cheap.
package struct Tile {
    package struct Layer {
        /// Adds the cell's lines and shapes to the path.
        let path: (Canvas) -> Void
        /// Strokes or fills the path of all cells.
        let paint: (Canvas) -> Void

        package init(path: @escaping (Canvas) -> Void, paint: @escaping (Canvas) -> Void) {
            self.path = path
            self.paint = paint
        }
    }

    package let width: Double
    package let height: Double
    let layers: [Layer]
    /// An identifier of equal tiles: a PDF then stores the tile once and repeats it. Nil draws
    /// every cell.
    let key: String?

    package init(width: Double, height: Double, key: String? = nil, layers: [Layer]) {
        self.key = key
        self.width = width
        self.height = height
        self.layers = layers
    }
}

/// The tiles drawn so far in a PDF, as recordings shared by its pages.
@safe final class TileCache {
    private var recordings: [String: OpaquePointer]

    init() { unsafe recordings = [:] }

    deinit { unsafe recordings.values.forEach { unsafe cairo_surface_destroy($0) } }

    /// A pattern that repeats a tile; nil when the tile has no key. The caller must destroy it.
    func pattern(_ tile: Tile, typesetter: Typesetter) -> OpaquePointer? {
        guard let key = tile.key else { return nil }
        if unsafe recordings[key] == nil {
            var extents = cairo_rectangle_t(x: 0, y: 0, width: tile.width, height: tile.height)
            let surface = unsafe cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, &extents)
            let canvas = unsafe Canvas(
                surface: surface, kind: .pdf, width: tile.width, height: tile.height, typesetter: typesetter)
            for layer in tile.layers {
                canvas.newPath()
                layer.path(canvas)
                layer.paint(canvas)
            }
            unsafe recordings[key] = surface
        }
        guard let surface = unsafe recordings[key] else { return nil }
        let pattern = unsafe cairo_pattern_create_for_surface(surface)
        unsafe cairo_pattern_set_extend(pattern, CAIRO_EXTEND_REPEAT)
        return unsafe pattern
    }
}
