import Foundation

/// People who sign, made by `openssl`: an authority, two persons for whom it vouches, a server of
/// time stamps, and some whose certificates are of no use.
package final class SignaturePeople: Sendable {
    package static let shared = Result { try SignaturePeople() }

    private let folder: TemporaryFolder

    /// The files: `ca.pem`; `ana` with a key of RSA, `luis` with one on an elliptic curve, `tls`,
    /// whose certificate is for another purpose, `short` with a key that is too short (`.pem`,
    /// `.key`); `ana.p12`, `old.p12` with old ciphers, `ana-locked.key`, all with the password
    /// `segreto è`; `alone.pem`, for whom nobody vouches.
    package func file(_ name: String) -> String { folder.file(name) }

    package static let password = "segreto è"

    /// When signatures are made and judged: certificates are made while the tests run.
    package let now = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: 60))

    /// The arguments with which Ana signs a file.
    package func sign(_ file: String, _ options: [String] = []) -> [String] {
        ["sign", file, "--certificate", self.file("ana.p12"), "--password-file", self.file("password"), "--as-of", now, "--allow-draft"] + options
    }

    /// The arguments with which files are verified by somebody who trusts the authority.
    package func verify(_ files: [String], _ options: [String] = []) -> [String] {
        ["verify"] + files + ["--trust", file("ca.pem"), "--as-of", now] + options
    }

    private init() throws {
        folder = try TemporaryFolder()
        let rsa = ["-newkey", "rsa:2048"], curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        try openssl(["req", "-x509", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Office Authority", "-days", "7000"] + rsa)
        try openssl(["req", "-x509", "-nodes", "-keyout", "alone.key", "-out", "alone.pem", "-subj", "/CN=Nobody", "-days", "7000"] + curve)
        try person("ana", "/CN=Ana Núñez (CIP 12345)/O=Geotecnia", rsa, "critical,nonRepudiation")
        try person("luis", "/CN=Luis Rossi", curve, "digitalSignature,nonRepudiation")
        try person("tls", "/CN=example.org", curve, "keyAgreement")
        try person("short", "/CN=Short", ["-newkey", "rsa:1024"], "digitalSignature")
        try person("tsa", "/CN=Office Clock", rsa, "digitalSignature\nextendedKeyUsage=critical,timeStamping")
        try folder.write(Self.password, to: "password")
        let store = ["pkcs12", "-export", "-inkey", "ana.key", "-in", "ana.pem", "-certfile", "ca.pem", "-passout", "file:password"]
        try openssl(store + ["-out", "ana.p12"])
        try openssl(store + ["-out", "old.p12", "-legacy"])
        try openssl(["pkcs8", "-topk8", "-in", "ana.key", "-out", "ana-locked.key", "-passout", "file:password"])
    }

    private func person(_ name: String, _ subject: String, _ key: [String], _ usage: String) throws {
        try folder.write("keyUsage=\(usage)\n", to: "\(name).ext")
        try openssl(["req", "-new", "-nodes", "-utf8", "-keyout", "\(name).key", "-out", "\(name).csr", "-subj", subject] + key)
        try openssl([
            "x509", "-req", "-in", "\(name).csr", "-out", "\(name).pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "3650", "-extfile",
            "\(name).ext",
        ])
    }

    private func openssl(_ arguments: [String]) throws {
        let run = try OtherProgram.run("/usr/bin/openssl", arguments, in: folder.path)
        if run.status != 0 { throw Trouble(description: run.text) }
    }

    private struct Trouble: Error { var description: String }

    // MARK: Servers and judges

    /// A server of time stamps; its address.
    package func timestamps() throws -> (url: String, program: ServingProgram) {
        let program = try ServingProgram(python: [ProjectFolder.root.appendingPathComponent("Tests/Servers/timestamps.py").path, folder.path])
        return (String(program.greeting.dropFirst("ready ".count)), program)
    }

    /// What pyHanko says of each signature of a file, as a line of words, trusting the authority.
    package func hanko(_ path: String) throws -> [String] {
        let script = """
            import sys, logging
            logging.disable(logging.CRITICAL)
            from pyhanko.pdf_utils.reader import PdfFileReader
            from pyhanko.sign.validation import validate_pdf_signature
            from pyhanko_certvalidator import ValidationContext
            from pyhanko.keys import load_cert_from_pemder
            root = load_cert_from_pemder(sys.argv[1])
            with open(sys.argv[2], 'rb') as file:
                for signature in PdfFileReader(file).embedded_signatures:
                    context = ValidationContext(trust_roots=[root], allow_fetching=False)
                    found = validate_pdf_signature(signature, context, context)
                    stamp = found.timestamp_validity
                    print('bottom' if found.bottom_line else 'broken', found.coverage.name, found.modification_level and found.modification_level.name,
                        'stamped' if stamp and stamp.valid and stamp.intact and stamp.trusted else 'unstamped')
            """
        let run = try OtherProgram.run(ProjectFolder.root.path + "/.build-tools/pyhanko/bin/python", ["-c", script, file("ca.pem"), path])
        return run.text.split(whereSeparator: \.isNewline).map(String.init)
    }
}
