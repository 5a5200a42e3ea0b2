import Foundation
import Model
import Testing
import Workbench

@testable import CommandLineTool
@testable import Pipeline

@Suite struct ConfigurationTests {
    @Test func plainKeysAreRead() throws {
        let configuration = try Configuration.parse("replica: /srv/a.db\nactor: a@example.pe\norgId: 0045\n", path: "f.yaml")
        #expect(configuration.replica == "/srv/a.db")
        #expect(configuration.actor == "a@example.pe")
        #expect(configuration.organisation == "0045", "a code stays the text that stands there")
    }

    @Test func anEmptyFileSetsNothing() throws {
        #expect(try Configuration.parse("", path: "f.yaml") == Configuration())
    }

    @Test(arguments: [("replica: a\nreplika: b\n", 2), ("- a\n", 1), ("actor: [a, b]\n", 1)])
    func mistakesHaveTheirLine(text: String, line: Int) throws {
        let failure = #expect(throws: SettingFailure.self) { try Configuration.parse(text, path: "f.yaml") }
        #expect(failure?.place?.line == line)
        #expect(failure?.exitCode == .badConfiguration)
    }

    @Test func aMissingFileIsAnErrorOnlyWhenItWasNamed() throws {
        #expect(throws: SettingFailure.self) { try Configuration.load(option: "/nowhere/f.yaml", environment: [:]) }
        #expect(try Configuration.load(option: nil, environment: ["APP_ENV": "PROD"]).environment == "PROD")
    }

    /// A variable that was left over takes no guard away.
    @Test(arguments: [
            ("PROD", "DEV", "PROD"), ("PROD", "QA", "PROD"), ("STAGING", "DEV", "STAGING"), ("DEV", "PROD", "PROD"),
            ("QA", "DEV", "DEV"), ("DEV", nil, "DEV"),
    ] as [(String, String?, String)])
    func ofTwoEnvironmentsTheMoreDangerousCounts(file: String, variable: String?, expected: String) throws {
        let folder = try TemporaryFolder(), path = folder.file("fichero.yaml")
        try "environment: \(file)\n".write(toFile: path, atomically: true, encoding: .utf8)
        let variables = variable.map { ["APP_ENV": $0] } ?? [:]
        #expect(try Configuration.load(option: path, environment: variables).environment == expected)
    }
}

@Suite struct TemplatesLocatorTests {
    private let folder: TemporaryFolder
    private var top: String { folder.path }

    init() throws { folder = try TemporaryFolder() }

    private func make(_ names: String...) throws {
        for name in names { try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true) }
    }

    @Test func theyAreFoundAboveTheProgram() throws {
        try make("Templates/core", ".build/x/release")
        try folder.write("", to: "Package.swift")
        let locator = TemplatesLocator(
            option: nil, environment: [:], configured: nil, executable: top + "/.build/x/release/fichero", workingDirectory: "/")
        #expect(try locator.locate().path == top + "/Templates")
    }

    /// A program in somebody's home knows no packs that lie in a folder above it: who may write there
    /// would have roles of their own making ruled as the program's.
    @Test(arguments: [
        ("bin/fichero", "share/fichero", true), ("fichero", "", true), ("tools/bin/fichero", "", false),
        ("a/b/c/d/fichero", "a/b", false), (".build/debug/fichero", "", true),
        (".build-fuzz/x/debug/fichero", "", true), (".builds/fichero/fichero", "", false),
    ])
    func onlyTheProgramsOwnLayoutsCount(_ program: String, _ home: String, _ isOwn: Bool) throws {
        try make(home + "/Templates/core", URL(fileURLWithPath: "/" + program).deletingLastPathComponent().path)
        // A folder whose name begins like that of a build is in no checkout without one.
        if program.hasPrefix(".build"), isOwn { try folder.write("", to: "Package.swift") }
        let locator = TemplatesLocator(
            option: nil, environment: [:], configured: nil, executable: top + "/" + program,
            workingDirectory: "/nowhere")
        let templates = URL(fileURLWithPath: (top + "/" + home + "/Templates").replacing("//", with: "/"))
        #expect((try? locator.locate().path == templates.path) == (isOwn ? true : nil))
        #expect("\(locator.source(of: templates))" == (isOwn ? "program" : "officeWithCore"))
    }

    @Test func whatIsStatedComesFirstAndIsNotReplacedBySomethingElse() throws {
        try make("Templates/core", "other/core")
        let good = TemplatesLocator(
            option: top + "/other", environment: ["FICHERO_TEMPLATES": "/x"], configured: nil, executable: top + "/fichero", workingDirectory: top)
        #expect(try good.locate().path == top + "/other")
        // A folder of packs needs no core of its own: that beside the program serves.
        try make("own/wells", "empty")
        #expect(FileManager.default.createFile(atPath: folder.file("own/wells/pack.yaml"), contents: nil))
        func located(_ name: String) -> TemplatesLocator {
            TemplatesLocator(option: top + "/" + name, environment: [:], configured: nil, executable: top + "/fichero", workingDirectory: "/")
        }
        let own = try located("own").locate()
        #expect(own.path == top + "/own" && located("own").core(of: own)?.path == top + "/Templates")
        #expect(try located("other").core(of: located("other").locate()) == nil)
        #expect(throws: SettingFailure.templatesNotFound(tried: [top + "/empty"])) { try located("empty").locate() }
        let bad = TemplatesLocator(option: "/nowhere", environment: [:], configured: nil, executable: top + "/fichero", workingDirectory: top)
        #expect(throws: SettingFailure.templatesNotFound(tried: ["/nowhere"])) { try bad.locate() }
    }
}

@Suite struct CommandLanguageTests {
    @Test func optionBeforeVariableBeforeLocale() {
        #expect(EarlySetting(["status", "--lang", "it"]).language(of: nil) == .italian)
        #expect(EarlySetting(["status", "--lang=es"]).language(of: nil) == .spanish)
        #expect(CommandLanguage.fromLocale(["LANG": "es_PE.UTF-8"]) == .spanish)
        #expect(CommandLanguage.fromLocale(["LC_ALL": "it_IT", "LANG": "es_PE"]) == .italian)
        #expect(CommandLanguage.fromLocale(["LANG": "C"]) == nil)
    }
}

@Suite struct SyncIntervalTests {
    @Test func intervalsAreTypedInMinutesAndHours() {
        for (text, minutes) in ["1m": 1, "15m": 15, "1440m": 1440, "2h": 120, "24h": 1440] { #expect(SyncInterval(argument: text)?.minutes == minutes) }
        for text in ["", "m", "0m", "-1m", "1441m", "25h", "15", "15s", "1.5h", "9999999999999999999h", "153722867280912931h", "1 m", "h2"] {
            #expect(SyncInterval(argument: text) == nil, "\(text)")
        }
    }
}
