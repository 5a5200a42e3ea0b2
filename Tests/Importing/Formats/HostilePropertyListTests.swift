import Foundation
import Model
import Testing
import Workbench

@testable import Importing

/// Whatever a property list holds, reading it ends soon, in bounded memory, with rows or with a
/// failure that has a code and a place.
@Suite struct HostilePropertyListTests {
    private let folder: TableFolder

    private var limits = TableLimits()

    init() throws {
        folder = try TableFolder()
        // What is endless soon comes to this bound.
        try limits.set("propertyListBytes", to: "1M")
    }

    private func reading(_ bytes: [UInt8]) throws -> (any Failure)? {
        let path = try folder.write(bytes, "l.plist")
        do {
            for table in try PropertyListFormat.open(FileHead(path: path), TableOptions(limits: limits)).tables { _ = try table.content() }
            return nil
        } catch {
            return try #require(error as? any Failure, "\(error)")
        }
    }

    @Test(arguments: PropertyListSamples.broken.indices) func whatIsBrokenIsRefused(_ index: Int) throws {
        let (name, bytes, reason) = PropertyListSamples.broken[index]
        let failure = try #require(try reading(bytes), "\(name)")
        #expect(["TABLE-DAMAGED", "TABLE-TOO-LARGE"].contains(failure.code) && failure.place?.file != nil, "\(name)")
        #expect(failure.arguments.values.contains { $0.contains(reason) }, "\(name): \(failure.arguments)")
    }

    @Test("A list that is cut off anywhere is refused", arguments: ["xml", "binary"]) func everyPrefix(form: String) throws {
        let written = try TemporaryFolder()
        try PropertyListSamples.write(6, seed: 9, to: written)
        let bytes = try (0..<6).map { Array(try written.data(of: "\(form)/\($0).plist")) }.min { abs($0.count - 900) < abs($1.count - 900) } ?? []
        try #require(bytes.count > 200)
        let end = bytes.lastIndex { $0 > 0x20 } ?? 0
        for count in 0..<(form == "xml" ? end : bytes.count) {
            #expect(try reading(Array(bytes.prefix(count))) != nil, "\(count) of \(bytes.count)")
        }
    }

    @Test("Changed bytes make other rows or a failure", arguments: 1...3) func changedBytes(seed: Int) throws {
        let written = try TemporaryFolder()
        try PropertyListSamples.write(5, seed: seed, to: written)
        var random = SeededNumbers(UInt64(seed))
        var failures = 0
        for number in 0..<5 {
            for form in ["xml", "binary"] {
                let bytes = Array(try written.data(of: "\(form)/\(number).plist"))
                for turn in 0..<60 {
                    var changed = bytes
                    // Half of the changes hit the table of offsets and the trailer.
                    let range = turn % 2 == 0 ? 0..<bytes.count : max(0, bytes.count - 120)..<bytes.count
                    for _ in 0..<Int.random(in: 1...6, using: &random) {
                        changed[Int.random(in: range, using: &random)] = [0, 1, 0xFF, 0x7F, 0xAF, 0xD1, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
                    }
                    if try reading(changed) != nil { failures += 1 }
                }
            }
        }
        #expect(failures > 100)
    }
}
