internal import JSONReading
internal import Model
internal import Web

/// The PostgREST of a Supabase project, used as one person.
///
/// The server silently cuts answers at its own limit, so a caller that needs all rows requests
/// pages until one is empty.
final class RestServer {
    let settings: SupabaseSettings
    private let connection: WebConnection
    private let session: SupabaseSession

    init(_ settings: SupabaseSettings, connection: WebConnection, session: SupabaseSession) {
        (self.settings, self.connection, self.session) = (settings, connection, session)
    }

    /// A request to a table or a function.
    struct Question {
        var method: WebRequest.Method
        /// `calicatas`, `rpc/snapshot`
        var path: String
        /// Names and values, not yet encoded.
        var query: [(name: String, value: String)] = []
        var schema = "public"
        var preferences: [String] = []
        var body: String?
    }

    /// Sends a request, and renews the token if it has expired. Throws if the reply is not a
    /// success.
    func ask(_ question: Question) throws -> WebAnswer {
        let token = try session.token()
        var answer = try send(question, token)
        if answer.status == 401 { answer = try send(question, session.token(after: token)) }
        guard answer.isSuccess else { throw failure(answer) }
        return answer
    }

    /// Calls one of Fichero's functions on the server.
    ///
    /// - Parameter arguments: values by name; nil is sent as null.
    func call(
        _ function: String, _ arguments: [(name: String, value: String?)] = [],
        query: [(name: String, value: String)] = [], preferences: [String] = []
    ) throws -> WebAnswer {
        let members = arguments.map { JSONValue.Member(key: $0.name, value: $0.value.map(JSONValue.string) ?? .null) }
        return try ask(
            Question(
                method: .post, path: "rpc/" + function, query: query, schema: "fichero", preferences: preferences,
                body: JSONValue.object(members).description))
    }

    /// Requests pages until one is empty, because a server cuts pages silently.
    ///
    /// - Parameter page: fetches the page after an id; returns its last id, nil if the page is
    ///   empty.
    func pages(_ page: (String?) throws -> String?) throws {
        var last: String?
        while true {
            try Interruption.check()
            guard let next = try page(last) else { return }
            last = next
        }
    }

    /// Passes the rows of a reply to a body.
    func read(_ answer: WebAnswer, _ rows: inout RestRows, _ body: (borrowing RestRows) throws -> Void) throws {
        do {
            try rows.read(answer.body, body)
        } catch let mistake as JSONMistake {
            switch mistake.reason {
            case .textTooLong(let limit), .valueTooLarge(let limit):
                throw WebFailure.tooLarge(address: settings.url, limit: limit)
            default: break
            }
            throw SupabaseFailure.notAnswering(address: settings.url, reason: "no JSON with rows (\(mistake.reason))")
        }
    }

    /// The rows of a reply as texts.
    func rows(_ answer: WebAnswer, _ columns: [String]) throws -> [[String?]] {
        var rows = RestRows(columns.map { ($0, .text) })
        var found: [[String?]] = []
        try read(answer, &rows) { row in found.append(columns.indices.map { row.text($0) }) }
        return found
    }

    private func send(_ question: Question, _ token: String) throws -> WebAnswer {
        let query = question.query.map { "\($0.name.percentEncoded())=\($0.value.percentEncoded(keeping: ",.:()*"))" }
            .joined(separator: "&")
        var headers = [
            ("apikey", settings.key), ("Authorization", "Bearer " + token), ("Accept", "application/json"),
            ("Accept-Profile", question.schema),
        ]
        if question.body != nil {
            headers += [("Content-Type", "application/json"), ("Content-Profile", question.schema)]
        }
        if !question.preferences.isEmpty { headers.append(("Prefer", question.preferences.joined(separator: ","))) }
        let url =
            settings.url + "/rest/v1/" + question.path.percentEncoded(keeping: "/") + (query.isEmpty ? "" : "?" + query)
        // 21000: one statement changes a row twice; a retry would not help.
        return try connection.send(
            WebRequest(question.method, url, headers: headers, body: question.body.map { Array($0.utf8) }),
            isFinal: { (try? JSONValue.parse($0.body))?["code"]?.text == "21000" })
    }

    private func failure(_ answer: WebAnswer) -> SupabaseFailure {
        guard let value = try? JSONValue.parse(answer.body), case .object = value else {
            return .notAnswering(address: settings.url, reason: "HTTP \(answer.status) without JSON")
        }
        return .refused(
            status: answer.status, state: value["code"]?.text ?? String(answer.status),
            message: value["message"]?.text ?? "")
    }
}
