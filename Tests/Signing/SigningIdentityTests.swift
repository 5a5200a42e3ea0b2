import Foundation
import Model
import Testing
import Workbench

@testable import Signing

/// Certificates and keys as people have them.
@Suite struct SigningIdentityTests {
    private let scene: SigningScene

    init() throws { scene = try SigningScene() }

    private func failure(_ file: String, key: String? = nil, password: String? = nil, at time: Date? = nil) -> SigningFailure? {
        do {
            _ = try SigningIdentity(scene.store(file), keyFile: key.map(scene.store), at: time ?? scene.time) { password }
            return nil
        } catch { return error as? SigningFailure }
    }

    @Test(arguments: ["ana.p12", "old.p12"]) func storesOpenWithTheirPassword(name: String) throws {
        let identity = try SigningIdentity(scene.store(name), keyFile: nil, at: scene.time) { SignaturePeople.password }
        #expect(identity.name == "Ana Núñez (CIP 12345)" && identity.chain.map(\.subject) == ["Office Authority"])
        let printed = try OtherProgram.run("/usr/bin/openssl", ["x509", "-in", scene.people.file("ana.pem"), "-noout", "-fingerprint", "-sha256"]).text
        #expect(printed.replacing(":", with: "").lowercased().contains(identity.fingerprint), "\(printed)")
        #expect(failure(name) == .passwordMissing(path: name))
        #expect(failure(name, password: "segreto") == .passwordWrong(path: name))
    }

    @Test func keysInFilesOfTheirOwn() throws {
        #expect(failure("ana.pem", key: "ana.key") == nil)
        #expect(failure("ana.pem", key: "ana-locked.key", password: SignaturePeople.password) == nil)
        #expect(failure("ana.pem", key: "ana-locked.key", password: "x") == .passwordWrong(path: "ana-locked.key"))
        #expect(failure("ana.pem", key: "ana-locked.key") == .passwordMissing(path: "ana-locked.key"))
        #expect(failure("ana.pem", key: "luis.key") == .keyMismatch(path: "ana.pem"))
        #expect(failure("ana.pem") == .noKey(path: "ana.pem"))
        #expect(failure("ana.pem", key: "ca.pem") == .noKey(path: "ca.pem"))
    }

    @Test func refusesWhatIsOfNoUse() throws {
        #expect(failure("tls.pem", key: "tls.key") == .notForSigning(path: "tls.pem"))
        #expect(failure("short.pem", key: "short.key") == .keyKind(path: "short.pem"))
        let late = scene.time.addingTimeInterval(20 * 365 * 86_400), early = scene.time.addingTimeInterval(-86_400)
        #expect(failure("ana.pem", key: "ana.key", at: late)?.code == "SIGN-EXPIRED")
        #expect(failure("ana.pem", key: "ana.key", at: early)?.code == "SIGN-NOT-YET")
        for name in ["password", "ana.key", "ana.csr"] {
            #expect(failure(name)?.code == "SIGN-CERTIFICATE", "\(name) is a certificate")
        }
        var numbers = SeededNumbers(5), store = try scene.store("ana.p12").bytes
        for _ in 0..<200 {
            store[Int.random(in: 0..<store.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
            #expect(throws: SigningFailure.self) { try SigningIdentity(.init(path: "x", bytes: store), keyFile: nil, at: scene.time) { SignaturePeople.password } }
        }
    }
}
