// Into PDFArchive come the bytes of a PDF as cairo writes it, and what its pages mean: structure,
// links, outline, attachments; out of it come the same pages as PDF/A-3b, tagged. It knows the
// objects of PDF files, and nothing of drawing, records or reports.
//
// The work is divided so:
//
// - `ObjectSplitter` takes the stream of bytes apart into objects, as they come.
// - `ArchiveWriter` passes them on, changes what an archive must not have, and writes the end of
//   the file in place of cairo's: pages, catalog, cross-references.
// - `PageMarks` turns marks within a page into parts of the structure, and the rest into artifacts.
// - `StructureWriter`, `DocumentNavigation`, `XMPPacket`, `ColourProfile` make what cairo does not
//   write.
