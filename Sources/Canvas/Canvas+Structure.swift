internal import CCairo
package import PDFArchive

extension Canvas {
    /// Draws what belongs to an element of the document's structure. Within an element that has
    /// content of its own, a figure say, further elements do not count. Only a PDF has structure.
    package func draw<Failure: Error>(as element: StructureElement, _ body: () throws(Failure) -> Void) throws(Failure) {
        guard let page, !isMarked else { return try body() }
        let outer = self.element
        self.element = element
        defer { self.element = outer }
        if element.kind.isContainer { return try body() }
        isMarked = true
        defer { isMarked = false }
        // What is not marked becomes an artifact.
        if element.kind == .artifact {
            self.element = nil
            return try body()
        }
        page.mark(element)
        unsafe cairo_tag_begin(context, "Span", nil)
        defer { unsafe cairo_tag_end(context, "Span") }
        try body()
    }
}
