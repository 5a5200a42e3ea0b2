import Foundation
import Testing

/// A disk that fails to give a photo once: the document is not made without it, and the fault is not remembered as one
/// of the photo.
@Suite struct PhotoFaultTests {
    private static let photos = "/fichero.db.files/*"
    private static let report = [
        "report", "registro-fotografico", "--project", "CHU-2025", "--format", "pdf", "-o", "out", "--fail-on", "never",
    ]

    @Test func aReportIsNotMadeWithoutAPhotoThatTheDiskDidNotGive() throws {
        let office = try Office(system: "ingeplus")
        let clean = try office.copy()
        let calls = try BrokenCall(paths: clean.folder + Self.photos, calls: "read").count(Self.report, in: clean)
        // Photos are read to be checked, and once more to be drawn.
        var ends: [Int: Int] = [:]
        for number in [calls / 4, calls / 2, calls * 3 / 4, calls - 1, calls] {
            let copy = try office.copy()
            let run = try BrokenCall(paths: copy.folder + Self.photos, calls: "read").run(
                Self.report, in: copy, at: number, .fault)
            ends[Int(run.status), default: 0] += 1
            let registered = try copy.sql("SELECT count(*) FROM exports")
            #expect(
                run.status == 74 ? registered == "0" : run.output.contains("PHOTO-UNREADABLE"),
                "\(number) of \(calls): \(run.output)\(run.error)")
            #expect(
                run.status != 74 || run.error.contains("REPORT-PHOTO") || run.error.contains("BUNDLE-FILE"),
                "\(run.error)")
            // Run again, the report has all its photos.
            let again = try copy.run(Self.report)
            #expect(!again.output.contains("PHOTO-UNREADABLE"), "\(number): \(again.output)")
        }
        #expect(ends[74, default: 0] > 0, "no photo was read to be drawn: \(ends)")
    }

    @Test func aFaultOfTheDiskIsNotKeptAsAVerdict() throws {
        let office = try Office(system: "ingeplus")
        let validate = ["validate", "--fail-on", "never"]
        let run = try BrokenCall(paths: office.folder + Self.photos, calls: "read").run(
            validate, in: office, at: 30, .fault)
        #expect(run.status == 0 && run.output.contains("PHOTO-UNREADABLE"), "\(run.output)\(run.error)")
        let again = try office.run(validate)
        #expect(again.status == 0 && !again.output.contains("PHOTO-UNREADABLE"), "\(again.output)\(again.error)")
    }
}
