internal import CCairo

/// A PDF file of many pages, written while it grows: vectors, embedded fonts, text that can be
/// searched and copied.
///
/// The same pages give the same bytes: dates come from the caller. Use it from one thread at a
/// time. Until `finish()` has run, the file is not a valid PDF.
@safe package final class PDFDocument {
    package struct Metadata: Sendable, Hashable {
        package var title: String
        package var author: String
        package var subject: String
        package var keywords: String
        /// The program that asked for the file.
        package var creator: String
        /// ISO 8601 with seconds and `Z` or an offset, `2026-03-01T10:00:00Z`.
        package var created: String
        package var modified: String

        package init(
            title: String, author: String = "", subject: String = "", keywords: String = "", creator: String = "", created: String,
            modified: String? = nil
        ) {
            self.title = title
            self.author = author
            self.subject = subject
            self.keywords = keywords
            self.creator = creator
            self.created = created
            self.modified = modified ?? created
        }
    }

    package let typesetter: Typesetter
    /// Receives every text on every page.
    package var recorder: TextRecorder?
    package private(set) var pageCount = 0

    private let sink: CairoOutput
    private let surface: OpaquePointer
    private let destinations = Destinations()
    private let tiles = TileCache()
    private var page: Canvas?
    private var isFinished = false

    /// - Parameter receive: gets the file in pieces; an error that it throws comes back as
    ///   `CanvasFailure.writing`.
    package init(
        _ metadata: Metadata, typesetter: Typesetter? = nil, writing receive: @escaping ([UInt8]) throws -> Void
    ) throws(CanvasFailure) {
        self.typesetter = if let typesetter { typesetter } else { try Typesetter() }
        sink = CairoOutput(receive)
        unsafe surface = cairo_pdf_surface_create_for_stream(CairoOutput.write, Unmanaged.passUnretained(sink).toOpaque(), 595, 842)
        try CanvasFailure.check(unsafe cairo_surface_status(surface))
        let parts: [(cairo_pdf_metadata_t, String)] = [
            (CAIRO_PDF_METADATA_TITLE, metadata.title), (CAIRO_PDF_METADATA_AUTHOR, metadata.author),
            (CAIRO_PDF_METADATA_SUBJECT, metadata.subject), (CAIRO_PDF_METADATA_KEYWORDS, metadata.keywords),
            (CAIRO_PDF_METADATA_CREATOR, metadata.creator), (CAIRO_PDF_METADATA_CREATE_DATE, metadata.created),
            (CAIRO_PDF_METADATA_MOD_DATE, metadata.modified),
        ]
        for (key, value) in parts where !value.isEmpty { unsafe cairo_pdf_surface_set_metadata(surface, key, value) }
    }

    deinit {
        // The canvas retains the surface; after the finish nothing is written to the sink any more.
        sink.isClosed = true
        unsafe cairo_surface_finish(surface)
        unsafe cairo_surface_destroy(surface)
    }

    /// Begins a page of a given size in points. Viewers show the label in place of its number.
    package func beginPage(width: Double, height: Double, label: String? = nil) throws(CanvasFailure) -> Canvas {
        guard page == nil, !isFinished else { throw .wrongOrder("a page begins before the last one ended") }
        unsafe cairo_pdf_surface_set_size(surface, width, height)
        if let label { unsafe cairo_pdf_surface_set_page_label(surface, label) }
        let canvas = unsafe Canvas(
            surface: surface, kind: .pdf, width: width, height: height, typesetter: typesetter, destinations: destinations, tiles: tiles)
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
    }

    /// Draws one page with a closure.
    package func page(width: Double, height: Double, label: String? = nil, _ draw: (Canvas) throws -> Void) throws {
        let canvas = try beginPage(width: width, height: height, label: label)
        try draw(canvas)
        try endPage()
    }

    /// Adds an entry to the outline, below another entry or at the top.
    /// - Returns: its number, as the parent of further entries.
    @discardableResult
    package func addOutline(_ title: String, to destination: String, below parent: Int? = nil, isOpen: Bool = false) -> Int {
        let flags = isOpen ? CAIRO_PDF_OUTLINE_FLAG_OPEN : cairo_pdf_outline_flags_t(0)
        return unsafe Int(
            cairo_pdf_surface_add_outline(
                surface, Int32(parent ?? Int(CAIRO_PDF_OUTLINE_ROOT)), title, "dest='\(destinations.want(destination))'", flags))
    }

    /// Writes the rest of the file.
    /// - Throws: for links to places that no page has, and for every earlier error.
    package func finish() throws(CanvasFailure) {
        guard page == nil, !isFinished else { throw .wrongOrder("a document ends within a page, or twice") }
        isFinished = true
        if let missing = destinations.missing { throw .unknownDestination(missing) }
        unsafe cairo_surface_finish(surface)
        sink.flush()
        try checkWriting()
        try CanvasFailure.check(unsafe cairo_surface_status(surface))
    }

    private func checkWriting() throws(CanvasFailure) {
        if let failure = sink.failure { throw .writing(failure) }
    }
}
