import Foundation
import Testing
import Workbench

/// Runs other programs, of poppler and of Python, that read the files that we write.
enum Program {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    static func run(_ name: String, _ arguments: [String]) throws -> String {
        let folder = try TemporaryFolder()
        let (ending, output) = try StartedProgram("/usr/bin/env", [name] + arguments, errors: folder.file("errors")).finish()
        let (text, complaint) = (String(decoding: output, as: UTF8.self), try folder.text(of: "errors"))
        guard ending.status == 0 else { throw Failed(description: "\(name): \(complaint)") }
        // poppler reports success even for a file that it had to repair.
        guard !name.hasPrefix("pdf") || complaint.isEmpty else { throw Failed(description: "\(name): \(complaint)") }
        return text
    }

    /// Writes bytes to a file, which exists only while the closure reads it.
    static func withFile<Result>(_ bytes: [UInt8], _ ending: String, _ body: (String) throws -> Result) throws -> Result {
        let folder = try TemporaryFolder()
        return try body(folder.write(bytes, to: "drawn." + ending))
    }

    /// A JPEG picture that Pillow made, of 64 × 32 pixels: red at the upper left, blue at the
    /// right, green at the lower left.
    static func jpeg(mode: String = "RGB", width: Int = 64, height: Int = 32, options: String = "") throws -> [UInt8] {
        let script = """
            import sys, io
            from PIL import Image
            w, h = \(width), \(height)
            picture = Image.new('RGB', (w, h), (255, 0, 0))
            picture.paste((0, 0, 255), (w // 2, 0, w, h))
            picture.paste((0, 255, 0), (0, h // 2, w // 2, h))
            picture = picture.convert('\(mode)')
            data = io.BytesIO()
            picture.save(data, 'JPEG', quality=95\(options))
            sys.stdout.write(data.getvalue().hex())
            """
        let hex = Array(try run("/usr/bin/python3", ["-c", script]).utf8)
        return stride(from: 0, to: hex.count - 1, by: 2).compactMap { UInt8(String(decoding: hex[$0...$0 + 1], as: UTF8.self), radix: 16) }
    }

    /// Pixels of a picture as Pillow reads them: `r,g,b` at each place. A place is a share of the
    /// width and of the height.
    static func pixels(_ picture: [UInt8], _ ending: String, at places: [(Double, Double)]) throws -> (size: String, colours: [[Int]]) {
        try withFile(picture, ending) { path in
            let script = """
                import sys
                from PIL import Image
                picture = Image.open(sys.argv[1]); print(picture.mode, *picture.size)
                picture = picture.convert('RGB')
                for x, y in \(places.map { [$0.0, $0.1] }):
                    print(*picture.getpixel((int(x * picture.width), int(y * picture.height))))
                """
            let lines = try run("/usr/bin/python3", ["-c", script, path]).split(separator: "\n")
            return (String(lines[0]), lines.dropFirst().map { $0.split(separator: " ").compactMap { Int($0) } })
        }
    }
}

/// The name of the pure colour that is nearest to a pixel.
func name(_ colour: [Int]) -> String {
    let known = ["red": [255, 0, 0], "green": [0, 255, 0], "blue": [0, 0, 255], "white": [255, 255, 255], "black": [0, 0, 0]]
    let distance = { (other: [Int]) in zip(colour, other).reduce(0) { $0 + abs($1.0 - $1.1) } }
    return known.min { distance($0.value) < distance($1.value) }?.key ?? "none"
}
