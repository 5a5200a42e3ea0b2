import Foundation
import Model
import Testing
import Workbench

/// Whoever follows `Docs/sign.md` signs: its commands are run in their order, and leave the files
/// that it names.
@Suite struct SignPageTests {
    private static func page() throws -> String { try String(contentsOfFile: ProgramRun.root + "/Docs/sign.md", encoding: .utf8) }

    /// The words of a command. Words in quotes stay together.
    private static func words(_ command: Substring) -> [String] {
        command.matches(of: /"([^"]*)"|(\S+)/).map { String($0.1 ?? $0.2 ?? "") }
    }

    @Test func theCommandsOfThePageSign() throws {
        let people = try SignaturePeople.shared.get(), (url, server) = try people.timestamps()
        var office = try Office.pits()
        office.environment["FICHERO_CERTIFICATE_PASSWORD"] = SignaturePeople.password
        for name in ["ana.p12", "ana.pem", "ana.key", "luis.pem", "luis.key"] { try FileManager.default.copyItem(atPath: people.file(name), toPath: office.path(name)) }
        try FileManager.default.copyItem(atPath: people.file("ca.pem"), toPath: office.path("authorities.pem"))
        let page = try Self.page(), block = try #require(page.firstMatch(of: /```\n((?s).*?)```/)).1
        let commands = block.split(separator: "\n").map { Self.words($0) }
        #expect(commands.count == 7 && commands.allSatisfy { $0.first == "fichero" })
        // Certificates are made while the tests run.
        let now = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: 60))
        try withExtendedLifetime(server) {
            for command in commands {
                let arguments = command.dropFirst().map { $0.hasPrefix("http://") ? url + "/" : $0 }
                let run = try office.run(arguments + ["--as-of", arguments[0] == "report" ? Office.asOf : now])
                #expect(run.status == 0, "\(command)\n\(run.output)\(run.error)")
                // Documents of others are there too.
                if arguments[0] == "report" { try FileManager.default.copyItem(atPath: office.path("out/CHU-2025/ficha-calicata-APROBADO-2025-12-01-v1.pdf"), toPath: office.path("informe.pdf")) }
            }
        }
        #expect(try office.files("out/CHU-2025").filter { $0.hasSuffix(".pdf") }.sorted() == ["", "-signed", "-signed-2"].map { "ficha-calicata-APROBADO-2025-12-01-v1\($0).pdf" }.sorted())
        #expect(FileManager.default.fileExists(atPath: office.path("informe-firmado.pdf")))
    }

    @Test func theWordsOfThePageAreTheProgramsOwn() throws {
        let page = try Self.page()
        let help = try ["sign", "verify"].map { try ProgramRun.fichero([$0, "--help"], in: "/").output }.joined()
        let options = Set(page.matches(of: /--[a-z][a-z-]+/).map { String($0.output) }).subtracting(["--project", "--format", "--state"])
        #expect(options.count >= 9)
        for option in options { #expect(help.contains(option), "\(option)") }
        let texts = try ShippedPack.named("ingeplus").texts
        for language in [Language.spanish, .italian] {
            let word = try #require(texts.textIfAny("word.signed_file", in: language))
            #expect(page.contains("`-\(word)`"))
        }
    }

    /// A registered file is known by its place and its content.
    @Test func aMovedFileIsAnyOther() throws {
        let people = try SignaturePeople.shared.get(), office = try Office.pits()
        #expect(try office.run("report", "ficha-calicata", "--project", "CHU-2025", "--format", "pdf", "-o", "out", "--output-name", "ficha").status == 0)
        try FileManager.default.moveItem(atPath: office.path("out/ficha.pdf"), toPath: office.path("moved.pdf"))
        let now = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: 60))
        let run = try office.run("sign", "moved.pdf", "--certificate", people.file("luis.pem"), "--key", people.file("luis.key"), "--as-of", now, "--allow-draft")
        #expect(run.status == 0 && run.output.contains("moved.pdf") && run.output.contains("not registered"), "\(run.output)\(run.error)")
        #expect(try people.hanko(office.path("moved.pdf")) == ["bottom ENTIRE_FILE NONE unstamped"])
        let verified = try office.run("verify", "-o", "out")
        #expect(verified.status == 1 && verified.output.contains("out/ficha.pdf"), "\(verified.output)")
    }
}
