// Reads the bytes of a PDF as cairo writes it, and the meaning of its pages: structure, links,
// outline, attachments. Writes the same pages as tagged PDF/A-3b. It knows the objects of PDF
// files, and nothing of drawing, records or reports.
//
// The work is divided as follows:
//
// - `ObjectSplitter` splits the stream of bytes into objects.
// - `ArchiveWriter` passes them on, corrects entries that an archive must not have, and replaces
//   the end of cairo's file: pages, catalog, cross-references.
// - `PageMarks` turns marks within a page into parts of the structure, and the rest into artifacts.
// - `StructureWriter`, `DocumentNavigation`, `XMPPacket`, `ColourProfile` make the parts that cairo
//   does not write.
