import Foundation
import Model
import Testing
import Web
import Workbench

@testable import Signing

/// Signatures that Fichero makes, as other programs see them.
@Suite struct DocumentSigningTests {
    private let people: SignaturePeople
    /// Certificates are made while the tests run.
    private let time = Date(timeIntervalSinceNow: 60)

    init() throws { people = try SignaturePeople.shared.get() }

    private func identity(_ name: String = "ana") throws -> SigningIdentity {
        func file(_ name: String) throws -> SigningIdentity.File {
            SigningIdentity.File(path: name, bytes: try Array(Data(contentsOf: URL(fileURLWithPath: people.file(name)))))
        }
        return try SigningIdentity(file(name + ".pem"), keyFile: file(name + ".key"), at: time) { nil }
    }

    private func signed(_ document: [UInt8], by name: String = "ana", timestamps: TimestampServer? = nil) throws -> [UInt8] {
        let statement = DocumentSigning.Statement(time: time, reason: "Revisado (conforme)", place: "Cañete")
        return document + (try DocumentSigning(identity(name), statement, timestamps: timestamps).update(of: document, path: "a.pdf"))
    }

    /// The tables of objects that documents have.
    private static let kinds: [(name: String, options: [String])] = [
        ("classic", ["--object-streams=disable"]), ("streams", ["--object-streams=generate"]), ("linearized", ["--linearize"]),
        ("linearized streams", ["--linearize", "--object-streams=generate"]),
    ]

    @Test(arguments: kinds.indices) func isValidForOtherPrograms(kind: Int) throws {
        let folder = try TemporaryFolder()
        try folder.write(SmallDocument.bytes(), to: "in.pdf")
        let made = try OtherProgram.run("/usr/bin/qpdf", Self.kinds[kind].options + [folder.file("in.pdf"), folder.file("made.pdf")])
        #expect(made.status == 0, "\(made.text)")
        let once = try signed(Array(folder.data(of: "made.pdf")))
        let twice = try signed(once, by: "luis")
        #expect(twice.starts(with: once))
        let path = try folder.write(twice, to: "out.pdf")
        let hanko = try people.hanko(path)
        #expect(hanko == ["bottom ENTIRE_REVISION FORM_FILLING unstamped", "bottom ENTIRE_FILE NONE unstamped"], "\(hanko)")
        let check = try OtherProgram.run("/usr/bin/qpdf", ["--check", path])
        #expect(check.status == 0, "\(check.text)")
        let poppler = try OtherProgram.run("/usr/bin/pdfsig", ["-nocert", path])
        #expect(poppler.text.components(separatedBy: "Signature is Valid.").count == 3, "\(poppler.text)")
        #expect(poppler.text.contains("ETSI.CAdES.detached"), "\(poppler.text)")
        let found = try SignatureReading(twice, path: path).signatures(trust: TrustStore(.init(path: "ca.pem", bytes: Array(Data(contentsOf: URL(fileURLWithPath: people.file("ca.pem")))))), at: time)
        #expect(found.map(\.holds) == [true, true], "\(found)")
        #expect(found.map(\.later) == [.signatures, .nothing] && found.map(\.level) == ["B-B", "B-B"], "\(found)")
        #expect(found[0].signer == "Ana Núñez (CIP 12345)" && found[0].place == "Cañete" && found[0].reason == "Revisado (conforme)")
    }

    @Test func carriesATimeStamp() throws {
        let folder = try TemporaryFolder(), (url, program) = try people.timestamps()
        try withExtendedLifetime(program) {
            let path = try folder.write(signed(SmallDocument.bytes(), timestamps: TimestampServer(url, over: WebConnection(), trust: nil)), to: "a.pdf")
            let hanko = try people.hanko(path)
        #expect(hanko == ["bottom ENTIRE_FILE NONE stamped"], "\(hanko)")
        }
    }
}
