import Foundation
import Testing
import Workbench

@testable import Blocks
@testable import Canvas
@testable import Drawing

/// Drawings that a person looked at and approved. `FICHERO_UPDATE_GOLDENS=1` writes them again.
enum Golden {
    static let folder = ProjectFolder.root.appendingPathComponent("Tests/Drawing/Goldens")
    /// The mean difference that is allowed, of 255, over all pixels. Other versions of cairo and
    /// FreeType draw edges a little differently.
    static let tolerance = 1.5

    static func expect(_ name: String, width: Double, height: Double, location: SourceLocation = #_sourceLocation, draw: (Canvas) throws -> Void) throws {
        let picture = Data(try Picture.png(width: width, height: height, scale: 1.25, draw: draw))
        #expect(try picture == Data(Picture.png(width: width, height: height, scale: 1.25, draw: draw)), "drawn twice", sourceLocation: location)
        let golden = folder.appendingPathComponent(name + ".png")
        if ProcessInfo.processInfo.environment["FICHERO_UPDATE_GOLDENS"] == "1" { return try picture.write(to: golden) }
        let folder = try TemporaryFolder()
        let drawn = try folder.write(picture, to: "drawn.png")
        let difference = try #require(try Double(compare(golden.path, drawn)), "sizes differ or there is no golden", sourceLocation: location)
        #expect(difference <= Self.tolerance, "\(name) looks different", sourceLocation: location)
    }

    /// Compares a page of a PDF, as poppler draws it, with the golden of the same drawing. Edges
    /// may differ, so the comparison is coarse.
    static func expectPDF(_ name: String, width: Double, height: Double, tolerance: Double, location: SourceLocation = #_sourceLocation, draw: (Canvas) throws -> Void) throws {
        var bytes: [UInt8] = []
        let document = try PDFDocument(.init(title: name, created: "2026-01-01T00:00:00Z")) { bytes += $0 }
        try document.page(width: width, height: height, draw)
        try document.finish()
        let scratch = try TemporaryFolder()
        // The resolution is four times that of the goldens, because poppler draws no line thinner
        // than one pixel.
        _ = try OtherProgram.run("/usr/bin/pdftoppm", ["-r", "360", "-singlefile", "-png", scratch.write(bytes, to: "drawn.pdf"), scratch.file("drawn")])
        let golden = folder.appendingPathComponent(name + ".png").path
        let difference = try #require(try Double(compare(golden, scratch.file("drawn.png"), step: 6)), "sizes differ or there is no golden", sourceLocation: location)
        #expect(difference <= tolerance, "\(name) looks different as PDF", sourceLocation: location)
    }

    /// The mean difference of two pictures, by Pillow, in squares of so many pixels. It is `size`
    /// if the pictures have different sizes.
    private static func compare(_ first: String, _ second: String, step: Int = 1) throws -> String {
        let script = """
            import sys
            from PIL import Image, ImageChops, ImageStat
            a, b = (Image.open(path).convert('RGB') for path in sys.argv[2:])
            step = int(sys.argv[1])
            if b.width == 4 * a.width: b = b.reduce(4)
            a, b = (picture.reduce(step) for picture in (a, b))
            print(sum(ImageStat.Stat(ImageChops.difference(a, b)).mean) / 3 if a.size == b.size else 'size')
            """
        return try OtherProgram.python(script, String(step), first, second)
    }
}

/// Texts as people write them: short, long, without spaces, and with accents.
enum Words {
    static let description = "Arcilla inorgánica de baja plasticidad, color marrón amarillento, húmeda, de consistencia firme, con raíces y gravilla subangular. "
    static let longName = String(repeating: "Ñuñoa–Ingeniería ", count: 12).prefix(199) + "."

    static func text(_ numbers: inout SeededNumbers) -> String {
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0: ""
        case 1: "arena"
        case 2: String(description.prefix(Int.random(in: 10...120, using: &numbers)))
        case 3: String(repeating: description, count: Int.random(in: 1...4, using: &numbers))
        case 4: String(repeating: "W", count: 200)
        default: String(longName)
        }
    }
}

extension DrawingSetting {
    static let plain = saying("")

    /// Every word of the program is this text.
    static func saying(_ text: String) -> DrawingSetting { DrawingSetting(ReportWords { _ in text }) }
}

/// Draws, and returns the texts that left the box or covered each other.
func problems(width: Double, height: Double, margin: Double = 10, _ draw: (Canvas, Box) throws -> Void) throws -> (texts: [String], outside: [String], collisions: [String]) {
    let recorder = TextRecorder()
    let box = Box(x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin)
    _ = try Picture.png(width: width, height: height, scale: 0.2, recorder: recorder) { try draw($0, box) }
    return (
        recorder.entries.map(\.text), recorder.outside(box, tolerance: 0.6).map { "\($0.text.prefix(30)) \($0.box)" },
        recorder.collisions(tolerance: 0.3).map { "\($0.0.text.prefix(30)) \($0.0.box) × \($0.1.text.prefix(30)) \($0.1.box)" }
    )
}
