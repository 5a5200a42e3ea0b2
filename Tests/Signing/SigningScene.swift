import Foundation
import Testing
import Workbench

@testable import Signing

/// People and documents for the tests of this room.
struct SigningScene {
    let people: SignaturePeople
    /// Certificates are made while the tests run.
    let time = Date(timeIntervalSinceNow: 60)

    init() throws { people = try SignaturePeople.shared.get() }

    func store(_ name: String) throws -> SigningIdentity.File {
        SigningIdentity.File(path: name, bytes: try Array(Data(contentsOf: URL(fileURLWithPath: people.file(name)))))
    }

    func identity(_ name: String = "ana") throws -> SigningIdentity {
        try SigningIdentity(store(name + ".pem"), keyFile: store(name + ".key"), at: time) { nil }
    }

    func signed(_ document: [UInt8], by name: String = "ana", timestamps: TimestampServer? = nil) throws -> [UInt8] {
        document + (try update(of: document, by: name, timestamps: timestamps).bytes)
    }

    func update(of document: [UInt8], by name: String = "ana", timestamps: TimestampServer? = nil) throws -> DocumentSigning.Update {
        let statement = DocumentSigning.Statement(time: time, reason: "Revisado (conforme)", place: "Cañete")
        return try DocumentSigning(identity(name), statement, timestamps: timestamps).update(of: document, path: "a.pdf")
    }

    var trust: TrustStore { get throws { try TrustStore(store("ca.pem")) } }

    func read(_ bytes: [UInt8], at time: Date? = nil) throws -> [DocumentSignature] {
        try SignatureReader(bytes, path: "a.pdf").signatures(trust: trust, at: time ?? self.time)
    }

    /// The signature's message as the document holds it, without the zeros behind it.
    static func message(in bytes: [UInt8]) throws -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        let start = try #require(text.range(of: "/Contents <")).upperBound
        let digits = Array(text[start...].prefix { $0 != ">" }.utf8)
        let whole = stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16) }
        // A sequence with a length of two bytes.
        #expect(whole.starts(with: [0x30, 0x82]))
        return Array(whole.prefix(4 + Int(whole[2]) << 8 + Int(whole[3])))
    }
}
