import Foundation
import Testing

/// The files of photos were changed after they came in. No package can cause this.
@Suite struct PhotoFileTests {
    /// The codes about photo files that `validate` finds, each with its count.
    private func codes(_ office: Office) throws -> [String: Int] {
        let run = try office.run("validate", "--json", "--fail-on", "never", "--rule", "FOTO-ARCHIVO")
        guard run.status == 0 else { throw Office.Trouble(run) }
        let counts = try Reading.json(run.output)["summary"] as? [String: Any] ?? [:]
        return counts["findings"] as? [String: Int] ?? [:]
    }

    @Test func whatHappensToFilesIsFound() throws {
        let office = try Office(system: "ingeplus", set: "broken/strata")
        #expect(try codes(office) == [:])
        let names = try office.files("fichero.db.files")
        try #require(names.count >= 4)
        func path(_ index: Int) -> String { office.path("fichero.db.files/" + names[index]) }
        // One file gets more bytes, one gets a changed byte, one becomes a link, and one is
        // deleted.
        var first = try Data(contentsOf: URL(fileURLWithPath: path(0)))
        first.append(contentsOf: [1, 2, 3])
        try first.write(to: URL(fileURLWithPath: path(0)))
        var second = try Data(contentsOf: URL(fileURLWithPath: path(1)))
        second[second.count - 10] ^= 1
        try second.write(to: URL(fileURLWithPath: path(1)))
        try FileManager.default.moveItem(atPath: path(2), toPath: office.path("elsewhere.jpg"))
        try FileManager.default.createSymbolicLink(atPath: path(2), withDestinationPath: office.path("elsewhere.jpg"))
        try FileManager.default.removeItem(atPath: path(3))
        let found = try codes(office)
        #expect(Set(found.keys) == ["PHOTO-SIZE", "PHOTO-CHECKSUM", "PHOTO-UNREADABLE", "PHOTO-FILE-MISSING"], "\(found)")
        #expect(found["PHOTO-CHECKSUM"].map { $0 >= 2 } == true)
    }
}
