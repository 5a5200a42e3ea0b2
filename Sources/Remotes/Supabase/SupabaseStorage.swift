import Foundation
internal import JSONReading
internal import Model
internal import Web

/// The Storage of a Supabase project, used as one person (`design/supabase-wire.md`, "Storage").
/// Small files are sent in one request, others in pieces (TUS 1.0.0), which can be continued after
/// an interruption.
final class SupabaseStorage: RemoteStorage {
    private let settings: SupabaseSettings
    private let connection: WebConnection
    private let session: SupabaseSession

    /// The size of a piece that hosted Storage requires; smaller files need only one.
    private static let piece = 6 << 20
    private static let protocolVersion = ("Tus-Resumable", "1.0.0")

    init(_ settings: SupabaseSettings, connection: WebConnection, session: SupabaseSession) {
        (self.settings, self.connection, self.session) = (settings, connection, session)
    }

    // MARK: Sending

    func send(_ file: OutgoingFile, to path: String, progress: (Int64) -> Void) throws {
        if file.bytes <= Self.piece {
            let body = try whole(file)
            try checked(
                ask(.post, "/object/" + encoded(path), [("Content-Type", file.type), ("x-upsert", "true")], body))
        } else {
            try sendInPieces(file, to: path, progress)
        }
        progress(file.bytes)
        // The file is complete if the size that the server reports is right.
        let there = try size(of: path)
        if file.bytes > Self.piece { try file.keep(nil) }
        guard there == file.bytes else {
            throw SupabaseFailure.refused(
                status: 422, state: "size", message: "\(there ?? 0) of \(file.bytes) bytes are there")
        }
    }

    private func whole(_ file: OutgoingFile) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < Int(file.bytes) {
            bytes += try file.read(Int64(bytes.count), Int(file.bytes) - bytes.count)
        }
        return bytes
    }

    private func sendInPieces(_ file: OutgoingFile, to path: String, _ progress: (Int64) -> Void) throws {
        var (address, position) = try goOn(file) ?? (begin(file, path), 0), isAnew = false
        progress(position)
        while position < file.bytes {
            try Interruption.check()
            let piece = try file.read(position, Int(min(Int64(Self.piece), file.bytes - position)))
            let headers = [
                Self.protocolVersion, ("Upload-Offset", String(position)),
                ("Content-Type", "application/offset+octet-stream"),
            ]
            let answer = try ask(.patch, address, headers, piece)
            switch answer.status {
            case 204, 200: position = try offset(answer)
            // A reply was lost: the server has more bytes than were acknowledged.
            case 409: position = try offset(checked(ask(.head, address, [Self.protocolVersion])))
            // An upload's address is valid for an hour.
            case 404 where !isAnew, 410 where !isAnew: (address, position, isAnew) = (try begin(file, path), 0, true)
            default: try checked(answer)
            }
            progress(position)
        }
    }

    /// An upload that an earlier run began, and its number of stored bytes; nil: there is none, or
    /// the server no longer has the upload.
    private func goOn(_ file: OutgoingFile) throws -> (String, Int64)? {
        guard let address = file.begun else { return nil }
        let answer = try ask(.head, address, [Self.protocolVersion])
        // A new upload will report any other problem.
        guard answer.isSuccess, answer.headers["upload-length"].map({ $0 == String(file.bytes) }) ?? true else {
            return nil
        }
        let position = try offset(answer)
        return (0...file.bytes).contains(position) ? (address, position) : nil
    }

    /// The address of a new upload.
    private func begin(_ file: OutgoingFile, _ path: String) throws -> String {
        let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw SupabaseFailure.refused(status: 400, state: "path", message: path) }
        let facts = [
            ("bucketName", parts[0]), ("objectName", parts[1]), ("contentType", file.type), ("cacheControl", "3600"),
        ]
        let metadata = facts.map { "\($0.0) \(Data($0.1.utf8).base64EncodedString())" }.joined(separator: ",")
        let headers = [
            Self.protocolVersion, ("Upload-Length", String(file.bytes)), ("Upload-Metadata", metadata),
            ("x-upsert", "true"),
        ]
        let answer = try checked(ask(.post, "/upload/resumable", headers, []))
        // Behind a proxy the server may not know its host name, so only the upload's name is used.
        guard let name = answer.headers["location"]?.split(separator: "/").last else {
            throw SupabaseFailure.notAnswering(address: settings.url, reason: "no address for the upload")
        }
        let address = "/upload/resumable/" + name
        try file.keep(address)
        return address
    }

    private func offset(_ answer: WebAnswer) throws -> Int64 {
        guard let offset = answer.headers["upload-offset"].flatMap({ Int64($0) }) else {
            throw SupabaseFailure.notAnswering(address: settings.url, reason: "no position in the answer")
        }
        return offset
    }

    // MARK: Fetching

    func fetch(_ path: String, _ take: (Span<UInt8>) throws -> Void) throws {
        try withoutActuallyEscaping(take) { take in
            _ = try checked(ask(.get, "/object/authenticated/" + encoded(path), receive: take))
        }
    }

    func size(of path: String) throws -> Int64? {
        let answer = try ask(.get, "/object/info/authenticated/" + encoded(path))
        if answer.isSuccess {
            guard let value = try? JSONValue.parse(answer.body),
                case .number(let text)? = value["size"] ?? value["metadata"]?["size"]
            else {
                throw SupabaseFailure.notAnswering(address: settings.url, reason: "no size in the answer")
            }
            return Int64(text)
        }
        if refusal(answer).status == 404 { return nil }
        throw failure(answer)
    }

    // MARK: Asking

    private func encoded(_ path: String) -> String { path.percentEncoded(keeping: "/") }

    private func ask(
        _ method: WebRequest.Method, _ path: String, _ headers: [(name: String, value: String)] = [],
        _ body: [UInt8]? = nil,
        receive: ((Span<UInt8>) throws -> Void)? = nil
    ) throws -> WebAnswer {
        func send(_ token: String) throws -> WebAnswer {
            let all = headers + [("apikey", settings.key), ("Authorization", "Bearer " + token)]
            return try connection.send(
                WebRequest(method, settings.url + "/storage/v1" + path, headers: all, body: body), receive: receive)
        }
        let token = try session.token()
        let answer = try send(token)
        guard [400, 401, 403].contains(answer.status), isExpired(answer) else { return answer }
        return try send(session.token(after: token))
    }

    /// Whether the token has expired, which Storage reports in the body of a reply with status 400.
    private func isExpired(_ answer: WebAnswer) -> Bool {
        let (status, _, message) = refusal(answer)
        return status == 401 || (status == 403 && message.lowercased().contains("exp"))
    }

    @discardableResult
    private func checked(_ answer: WebAnswer) throws -> WebAnswer {
        guard answer.isSuccess else { throw failure(answer) }
        return answer
    }

    private func failure(_ answer: WebAnswer) -> SupabaseFailure {
        let (status, state, message) = refusal(answer)
        return .refused(status: status, state: state, message: message)
    }

    /// Most errors have the HTTP status 400, with the real status as a text in the body.
    private func refusal(_ answer: WebAnswer) -> (status: Int, state: String, message: String) {
        guard let value = try? JSONValue.parse(answer.body), case .object = value else {
            return (answer.status, "HTTP \(answer.status)", "")
        }
        let status = value["statusCode"]?.text.flatMap { Int($0) } ?? answer.status
        return (status, value["error"]?.text ?? String(status), value["message"]?.text ?? "")
    }
}
