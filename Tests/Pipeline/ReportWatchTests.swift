import Foundation
import Testing
import Workbench

@testable import Blocks
@testable import Model
@testable import Pipeline

/// A watch renders anew when something was saved, and goes on through mistakes that a save mends.
@Suite struct ReportWatchTests {
    private struct Course {
        var rounds = 0
        var told: [String] = []
        var rests = 0
        var end: (any Error)?
    }

    /// Runs a watch whose rounds fail in this order (nil: rendered). Each rest makes the next save;
    /// a signal comes after the last one.
    private func course(_ failures: [(any Error)?], saves: [String]) throws -> Course {
        let folder = try TemporaryFolder()
        try folder.write("a", to: "report.yaml")
        var course = Course()
        do {
            try ReportWatch {
                defer { course.rounds += 1 }
                if course.rounds < failures.count, let failure = failures[course.rounds] { throw failure }
            } files: {
                TemplateFiles([folder.url], brand: nil)
            } tell: {
                course.told.append($0.code)
            } rest: {
                guard course.rests < saves.count else { throw RunStopped(signal: SIGTERM) }
                if !saves[course.rests].isEmpty { try folder.write(saves[course.rests], to: "report.yaml") }
                course.rests += 1
            }.run()
        } catch { course.end = error }
        return course
    }

    @Test func eachSaveIsRenderedOnceItIsWhole() throws {
        // Nothing; a save in two parts; a moment without one; another save.
        let course = try course([], saves: ["", "ab", "abc", "", "", "abcd", ""])
        #expect(course.rounds == 3 && course.told.isEmpty && course.end as? RunStopped == RunStopped(signal: SIGTERM))
    }

    @Test func aMistakeInATemplateIsToldAndTheNextSaveTried() throws {
        let failures: [(any Error)?] = [
            nil, Trouble(exitCode: .badConfiguration), ReportFailure.template("r", "p"), Trouble(exitCode: .busy), nil, nil,
        ]
        let course = try course(failures, saves: ["1", "", "12", "", "123", "", "1234", "", "12345", ""])
        #expect(course.rounds == 6 && course.told == ["TROUBLE", "REPORT-TEMPLATE", "TROUBLE"])
    }

    @Test func whatNoSaveMendsEndsIt() throws {
        for error in [Trouble(exitCode: .notPermitted), Trouble(exitCode: .inputOutput), CocoaError(.fileReadUnknown), RunStopped(signal: SIGINT)] as [any Error] {
            let course = try course([error], saves: ["1"])
            #expect(course.rounds == 1 && course.told.isEmpty && course.rests == 0)
        }
    }

    @Test func filesAreThoseOfThePackAndOfTheLook() throws {
        let folder = try TemporaryFolder(), look = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("reports/r"), withIntermediateDirectories: true)
        let brand = try look.write("name: A", to: "brand.yaml")
        let first = TemplateFiles([folder.url], brand: brand)
        // What is made of them, and what editors keep beside them, are none.
        try folder.write("x", to: "reports/r/preview.pdf")
        try folder.write("x", to: "reports/r/.report.yaml.swp")
        try folder.write("x", to: "reports/r/report.yaml~")
        try look.write("x", to: "other.yaml")
        #expect(TemplateFiles([folder.url], brand: brand) == first)
        for (place, name) in [(folder, "reports/r/report.yaml"), (folder, "reports/r/page.mustache"), (look, "logo.png")] {
            let before = TemplateFiles([folder.url], brand: brand)
            try place.write("new", to: name)
            #expect(TemplateFiles([folder.url], brand: brand) != before, "\(name)")
        }
        try FileManager.default.removeItem(atPath: folder.file("reports/r/report.yaml"))
        #expect(TemplateFiles([folder.url], brand: brand) != first)
    }
}
