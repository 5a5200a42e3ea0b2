import Foundation
import Testing
import Workbench

@testable import Importing

/// How photos get into the store beside a replica.
@Suite struct PhotoIntakeTests {
    let folder: Folder
    init() throws { folder = try Folder() }

    private func photo(_ name: String, _ text: String) throws -> SourcePhoto {
        SourcePhoto(path: try folder.write("in/" + name, text), name: name, entity: "photos", id: name)
    }

    private var store: PhotoStore { PhotoStore(beside: folder.path + "/x.db") }

    private func kept() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/x.db.files").filter { $0.contains(".jpg") || $0.contains("partial") }.sorted()
    }

    @Test func photosAreNamedByTheirContentAndKeptOnce() throws {
        let intake = try store.intake(importsBefore: 0)
        let first = try intake.keep(photo("A.JPG", "one"))
        let again = try intake.keep(photo("b.jpg", "one"))
        let large = try intake.keep(photo("c.jpg", String(repeating: "0123456789abcdef", count: 200_000)))
        try intake.finish()
        #expect(first == again && first.bytes == 3 && large.bytes == 3_200_000)
        // Another program calculates the same digest.
        #expect(try OtherProgram.sha256(folder.path + "/" + large.relativePath) == large.sha256)
        #expect(try store.place(of: photo("A.JPG", "one")) == first)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/x.db.files").filter { !$0.hasPrefix(".") }.count == 2)
    }

    @Test func whatIsNotFinishedHasNoFinalName() throws {
        var intake: PhotoIntake? = try store.intake(importsBefore: 0)
        _ = try intake?.keep(photo("a.jpg", "one"))
        #expect(try kept().allSatisfy { $0.hasPrefix(".partial") })
        intake = nil
        #expect(try kept().isEmpty)
        // A file that a killed run left is not taken either.
        try folder.write("x.db.files/.partial/7", "half")
        try store.intake(importsBefore: 0).finish()
        #expect(try kept().isEmpty)
    }

    @Test func aMissingPhotoAndAnUnwritableStoreAreReported() throws {
        let intake = try store.intake(importsBefore: 0)
        #expect(throws: ImportFailure.unreadable(path: "/nowhere/a.jpg")) {
            try intake.keep(SourcePhoto(path: "/nowhere/a.jpg", name: "a.jpg", entity: "photos", id: "1"))
        }
        try folder.write("y.db.files", "a file where the folder should be")
        #expect(throws: ImportFailure.photoStore(path: folder.path + "/y.db.files")) { try PhotoStore(beside: folder.path + "/y.db").intake(importsBefore: 0) }
    }

    @Test func onlyFilesOfTheStoreAreForgotten() throws {
        let intake = try store.intake(importsBefore: 0)
        let place = try intake.keep(photo("a.jpg", "one"))
        try intake.finish()
        let outside = try folder.write("keep.jpg", "x")
        _ = store.forget(["x.db.files/../keep.jpg", "keep.jpg", outside, place.relativePath])
        #expect(FileManager.default.fileExists(atPath: outside))
        #expect(try kept().isEmpty)
    }
}
