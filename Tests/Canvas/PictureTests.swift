import Testing
import Workbench

@testable import Canvas

@Suite struct PictureTests {
    @Test func jpegIsEmbeddedAsItIs() throws {
        let jpeg = try Program.jpeg(width: 640, height: 320)
        let bytes = try PDFDocumentTests.document { document in
            for _ in 0..<3 {
                try document.page(width: 300, height: 300) { canvas in
                    try canvas.draw(jpeg: jpeg, in: Box(x: 10, y: 10, width: 200, height: 100), identifier: "logo")
                }
            }
        }
        try Program.withFile(bytes, "pdf") { path in
            let list = try Program.run("pdfimages", ["-list", path]).split(separator: "\n").dropFirst(2)
            #expect(list.count == 3)
            #expect(list.allSatisfy { $0.contains("jpeg") && $0.contains("640") && $0.contains("320") }, "\(list)")
            // All pages share one picture object.
            #expect(Set(list.map { $0.split(separator: " ")[10] }).count == 1, "\(list)")
        }
        #expect(contains(bytes, jpeg))
        #expect(bytes.count < jpeg.count + 8_000)
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0] == part[0] && bytes[$0...].starts(with: part) }
    }

    @Test func everyPhotoIsItsOwn() throws {
        let photos = try [100, 120, 140].map { try Program.jpeg(width: $0, height: 80) }
        let bytes = try PDFDocumentTests.document { document in
            try document.page(width: 300, height: 300) { canvas in
                for (index, photo) in photos.enumerated() { try canvas.draw(jpeg: photo, in: Box(x: 10, y: Double(index) * 90, width: 90, height: 80)) }
            }
        }
        for photo in photos { #expect(contains(bytes, photo)) }
        let list = try Program.withFile(bytes, "pdf") { try Program.run("pdfimages", ["-list", $0]).split(separator: "\n").dropFirst(2) }
        #expect(list.map { $0.split(separator: " ")[3] } == ["100", "120", "140"])
    }

    @Test func greyIsEmbeddedToo() throws {
        let jpeg = try Program.jpeg(mode: "L")
        let bytes = try PDFDocumentTests.document { document in
            try document.page(width: 64, height: 32) { try $0.draw(jpeg: jpeg, in: $0.box) }
        }
        #expect(contains(bytes, jpeg))
        let list = try Program.withFile(bytes, "pdf") { try Program.run("pdfimages", ["-list", $0]) }
        #expect(list.contains("gray") && list.contains("jpeg"))
    }

    @Test func inksBecomeLight() throws {
        let jpeg = try Program.jpeg(mode: "CMYK")
        let bytes = try PDFDocumentTests.document { document in
            try document.page(width: 64, height: 32) { try $0.draw(jpeg: jpeg, in: $0.box) }
        }
        #expect(try rendered(bytes) == ["red", "blue", "green", "blue"])
    }

    private func rendered(_ pdf: [UInt8]) throws -> [String] {
        try Program.withFile(pdf, "pdf") { path in
            _ = try Program.run("pdftoppm", ["-r", "72", "-singlefile", "-png", path, path])
            let script = "import sys; sys.stdout.write(open(sys.argv[1], 'rb').read().hex())"
            let hex = Array(try Program.run("/usr/bin/python3", ["-c", script, path + ".png"]).utf8)
            _ = try Program.run("rm", [path + ".png"])
            let png = stride(from: 0, to: hex.count - 1, by: 2).compactMap { UInt8(String(decoding: hex[$0...$0 + 1], as: UTF8.self), radix: 16) }
            return try Program.pixels(png, "png", at: Self.quarters).colours.map(name)
        }
    }

    static let quarters = [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)]

    /// The picture is red, blue, green and blue. Each row gives the colours at the upper left,
    /// upper right, lower left and lower right after the turn that EXIF asks for.
    static let turned: [Int: [String]] = [
        1: ["red", "blue", "green", "blue"], 2: ["blue", "red", "blue", "green"], 3: ["blue", "green", "blue", "red"],
        4: ["green", "blue", "red", "blue"], 5: ["red", "green", "blue", "blue"], 6: ["green", "red", "blue", "blue"],
        7: ["blue", "blue", "green", "red"], 8: ["blue", "blue", "red", "green"],
    ]

    /// A program that knows EXIF turns the picture in the same way as the table above.
    @Test(arguments: 2...8) func tableIsPillows(orientation: Int) throws {
        let jpeg = try Program.jpeg()
        try Program.withFile(jpeg, "jpg") { path in
            let script = """
                import sys
                from PIL import Image, ImageOps
                picture = Image.open(sys.argv[1]); exif = picture.getexif(); exif[0x0112] = \(orientation)
                picture.save(sys.argv[1] + '.x.jpg', exif=exif, quality=95)
                ImageOps.exif_transpose(Image.open(sys.argv[1] + '.x.jpg')).save(sys.argv[1] + '.png')
                sys.stdout.write(open(sys.argv[1] + '.png', 'rb').read().hex())
                """
            let hex = Array(try Program.run("/usr/bin/python3", ["-c", script, path]).utf8)
            _ = try Program.run("rm", [path + ".x.jpg", path + ".png"])
            let png = stride(from: 0, to: hex.count - 1, by: 2).compactMap { UInt8(String(decoding: hex[$0...$0 + 1], as: UTF8.self), radix: 16) }
            #expect(try Program.pixels(png, "png", at: Self.quarters).colours.map(name) == Self.turned[orientation])
        }
    }

    @Test(arguments: 1...8) func orientationIsRespectedEverywhere(orientation: Int) throws {
        let jpeg = try Program.jpeg()
        let (width, height) = orientation >= 5 ? (32.0, 64.0) : (64.0, 32.0)
        let pdf = try PDFDocumentTests.document { document in
            try document.page(width: width, height: height) { try $0.draw(jpeg: jpeg, in: $0.box, orientation: orientation) }
        }
        #expect(try rendered(pdf) == Self.turned[orientation])
        let png = try Picture.png(width: width, height: height) { try $0.draw(jpeg: jpeg, in: $0.box, orientation: orientation) }
        #expect(try Program.pixels(png, "png", at: Self.quarters).colours.map(name) == Self.turned[orientation])
        let thumbnail = try Thumbnail.make(jpeg: jpeg, longestSide: 32, orientation: orientation)
        #expect(thumbnail.width == Int(width) / 2 && thumbnail.height == Int(height) / 2)
        #expect(try Program.pixels(thumbnail.bytes, "jpg", at: Self.quarters).colours.map(name) == Self.turned[orientation])
    }

    @Test func pngIsDrawn() throws {
        let png = try Picture.png(width: 20, height: 10, scale: 1) { canvas in
            canvas.rectangle(Box(x: 0, y: 0, width: 10, height: 10))
            canvas.fill(Colour(hex: "#0000ff")!)
        }
        let twice = try Picture.png(width: 40, height: 20, scale: 1) { try $0.draw(png: png, in: $0.box) }
        let seen = try Program.pixels(twice, "png", at: Self.quarters)
        #expect(seen.size == "RGB 40 20" || seen.size == "RGBA 40 20")
        #expect(seen.colours.map(name) == ["blue", "white", "blue", "white"])
    }

    @Test func svgIsTheSameEveryTime() throws {
        let jpeg = try Program.jpeg()
        let draw = { (canvas: Canvas) in
            canvas.draw("Ñ & <b>", TextStyle(size: 10), at: Point(x: 5, y: 5))
            try canvas.draw(jpeg: jpeg, in: Box(x: 20, y: 20, width: 64, height: 32))
        }
        let first = try Picture.svg(width: 100, height: 60, draw: draw)
        #expect(try first == Picture.svg(width: 100, height: 60, draw: draw))
        try Program.withFile(first, "svg") { _ = try Program.run("xmllint", ["--noout", $0]) }
        #expect(String(decoding: first, as: UTF8.self).contains("data:image/jpeg;base64,"))
    }

    @Test func hostilePicturesAreRefused() throws {
        let jpeg = try Program.jpeg(width: 200, height: 100)
        let refused: [[UInt8]] = [[], [0xFF, 0xD8], Array("no picture".utf8), Array(jpeg[..<40]), [UInt8](repeating: 0xFF, count: 1000)]
        for bytes in refused {
            #expect(throws: CanvasFailure.self) { try Thumbnail.make(jpeg: bytes, longestSide: 100) }
            #expect(throws: CanvasFailure.self) { try Picture.png(width: 10, height: 10) { try $0.draw(jpeg: bytes, in: $0.box) } }
            #expect(throws: CanvasFailure.self) { try Picture.png(width: 10, height: 10) { try $0.draw(png: bytes, in: $0.box) } }
        }
        // The header claims a size of 65,500 × 65,500 pixels.
        var vast = jpeg
        let frame = try #require(vast.indices.first { vast[$0] == 0xFF && vast[$0 + 1] == 0xC0 })
        vast.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
        #expect { try Thumbnail.make(jpeg: vast, longestSide: 100) } throws: {
            if case CanvasFailure.pictureTooLarge(65_500, 65_500) = $0 { true } else { false }
        }
        #expect(throws: CanvasFailure.self) { try Picture.png(width: 1e9, height: 1e9) { _ in } }
    }

    @Test func whatIsCutOffIsShownAsFarAsItGoes() throws {
        let jpeg = try Program.jpeg(width: 400, height: 400)
        let thumbnail = try Thumbnail.make(jpeg: Array(jpeg[..<(jpeg.count / 2)]), longestSide: 100)
        #expect(thumbnail.isDamaged)
        #expect(try Thumbnail.make(jpeg: jpeg, longestSide: 100).isDamaged == false)
    }

    @Test func changedBytesGiveAThumbnailOrADeclaredFailure() throws {
        let jpeg = try Program.jpeg(width: 400, height: 400)
        var numbers = SeededNumbers(7)
        var (made, refused) = (0, 0)
        for _ in 0..<200 {
            var damaged = jpeg
            for _ in 0..<5 { damaged[Int(numbers.next() % UInt64(damaged.count))] = UInt8(truncatingIfNeeded: numbers.next()) }
            do throws(CanvasFailure) {
                let thumbnail = try Thumbnail.make(jpeg: damaged, longestSide: 50)
                #expect(max(thumbnail.width, thumbnail.height) == 50)
                made += 1
            } catch {
                refused += 1
            }
        }
        #expect(made > 0 && refused > 0)
    }

    @Test(arguments: ["RGB", "L", "CMYK"], ["", ", progressive=True"]) func thumbnailsOfAllKinds(mode: String, options: String) throws {
        let jpeg = try Program.jpeg(mode: mode, width: 1000, height: 500, options: options)
        let thumbnail = try Thumbnail.make(jpeg: jpeg, longestSide: 130, quality: 90)
        #expect(thumbnail.width == 130 && thumbnail.height == 65)
        let seen = try Program.pixels(thumbnail.bytes, "jpg", at: Self.quarters)
        #expect(seen.size == "\(mode == "L" ? "L" : "RGB") 130 65")
        if mode != "L" { #expect(seen.colours.map(name) == ["red", "blue", "green", "blue"]) }
        #expect(try thumbnail == Thumbnail.make(jpeg: jpeg, longestSide: 130, quality: 90))
    }

    @Test func reducingKeepsTheMean() {
        // Five pixels become two, so each new pixel is the mean of 2.5 old ones.
        let source = JPEGDecoder.Pixels(width: 5, height: 1, channels: 1, bytes: [10, 20, 100, 200, 220])
        #expect(PixelScaling.reduce(source, width: 2, height: 1).bytes == [32, 188])
        let flat = JPEGDecoder.Pixels(width: 37, height: 23, channels: 3, bytes: [UInt8](repeating: 77, count: 37 * 23 * 3))
        #expect(PixelScaling.reduce(flat, width: 11, height: 7).bytes == [UInt8](repeating: 77, count: 11 * 7 * 3))
    }
}
