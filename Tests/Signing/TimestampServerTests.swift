import Foundation
import Model
import Testing
import Web
import Workbench

@testable import Signing

/// Servers of time stamps, good and bad.
@Suite struct TimestampServerTests {
    private let scene: SigningScene
    private let url: String
    private let program: ServingProgram

    init() throws {
        scene = try SigningScene()
        (url, program) = try scene.people.timestamps()
    }

    private func server(_ path: String = "/", trust: TrustStore? = nil, whole: Int = 60) -> TimestampServer {
        var patience = WebTimeouts()
        (patience.attempts, patience.whole) = (1, whole)
        return TimestampServer(url + path, over: WebConnection(patience: patience), trust: trust)
    }

    @Test(arguments: ["ana", "luis"]) func carriesATimeStamp(name: String) throws {
        let folder = try TemporaryFolder()
        let signed = try scene.signed(SmallDocument.bytes(), by: name, timestamps: server(trust: scene.trust))
        let hanko = try scene.people.hanko(folder.write(signed, to: "a.pdf"))
        #expect(hanko == ["bottom ENTIRE_FILE NONE stamped"], "\(hanko)")
        let found = try #require(scene.read(signed).first)
        #expect(found.holds && found.level == "B-T" && found.timestamp?.authority == "Office Clock" && found.timestamp?.trust == .trusted, "\(found)")
        // A certificate that has expired since was good when it signed.
        let late = scene.time.addingTimeInterval(15 * 365 * 86_400)
        #expect(try scene.read(signed, at: late).first?.holds == true)
        #expect(try scene.read(scene.signed(SmallDocument.bytes()), at: late).first?.trust == .expired)
    }

    /// Anybody can put something in the place of the token: it is not signed.
    @Test func aTokenThatCannotBeReadProvesNothing() throws {
        var signed = try scene.signed(SmallDocument.bytes(), by: "ana", timestamps: server(trust: scene.trust))
        // The type of what the token holds (1.2.840.113549.1.9.16.1.4), as hexadecimal digits of /Contents.
        let type = Array("060b2a864886f70d0109100104".utf8)
        let text = String(decoding: signed, as: UTF8.self).lowercased()
        let places = text.ranges(of: String(decoding: type, as: UTF8.self)).map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) }
        #expect(!places.isEmpty)
        for place in places { signed[place + type.count - 1] = UInt8(ascii: "f") }
        let found = try #require(scene.read(signed).first)
        #expect(found.isWhole && !found.holds && found.level != "B-T" && found.timestamp?.isWhole == false, "\(found)")
    }

    @Test(arguments: [
        ("/garbage", "TIMESTAMP-ANSWER"), ("/empty", "TIMESTAMP-ANSWER"), ("/missing", "TIMESTAMP-ANSWER"), ("/refused", "TIMESTAMP-ANSWER"),
        ("/cut", "TIMESTAMP-ANSWER"), ("/endless", "TIMESTAMP-ANSWER"), ("/other", "TIMESTAMP-WRONG"),
    ])
    func refusesAnswers(path: String, code: String) throws {
        do {
            _ = try scene.signed(SmallDocument.bytes(), timestamps: server(path))
            Issue.record("\(path) is a time stamp")
        } catch let failure as SigningFailure { #expect(failure.code == code, "\(failure)") }
    }

    @Test func refusesServersThatAreNotTrustedOrNotThere() throws {
        let stranger = try TrustStore(scene.store("alone.pem"))
        #expect(throws: SigningFailure.timestampWrong(address: url, reason: "unknown-issuer")) { try scene.signed(SmallDocument.bytes(), timestamps: server(trust: stranger)) }
        for server in [server("/hang", whole: 1), TimestampServer("http://127.0.0.1:1", over: WebConnection(), trust: nil)] {
            do {
                _ = try scene.signed(SmallDocument.bytes(), timestamps: server)
                Issue.record("signed")
            } catch let failure as SigningFailure { #expect(failure.code == "TIMESTAMP-UNREACHABLE", "\(failure)") }
        }
    }

    /// A time stamp of one signature says nothing of another one.
    @Test func aStampOfAnotherSignatureIsFound() throws {
        let signature: [UInt8] = [1, 2, 3]
        let token = try #require(TimestampToken(try server().token(for: signature)))
        #expect(token.objection(for: signature) == nil)
        #expect(token.objection(for: signature + [0]) != nil)
    }
}
