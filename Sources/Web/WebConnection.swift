internal import CCurl
internal import Glibc
internal import Model

/// A connection to servers on the web, which libcurl keeps open between requests. Only one thread
/// may use an instance at a time.
///
/// No wait is endless, and a signal to end this process takes effect within a second. Servers need
/// a certificate that this machine or the given authority trusts. Plain HTTP is used only within
/// this machine, or if a request permits it. Proxies are those of the environment (`HTTPS_PROXY`,
/// `NO_PROXY`). Redirects are not followed, so that no token reaches another server.
@safe package final class WebConnection {
    private let handle: UnsafeMutableRawPointer
    package let patience: WebTimeouts
    private let authority: String?

    /// Initialises libcurl once.
    private static let isPrepared: Bool = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    /// - Parameter authority: file with the certificates of trusted authorities; nil for those of
    ///   this machine.
    package init(authority: String? = nil, patience: WebTimeouts = WebTimeouts()) {
        precondition(Self.isPrepared)
        guard let made = unsafe curl_easy_init() else { fatalError("out of memory") }
        unsafe handle = made
        (self.authority, self.patience) = (authority, patience)
    }

    deinit { unsafe curl_easy_cleanup(handle) }

    // MARK: Sending

    /// Sends a request and returns the response, whatever its status.
    ///
    /// Temporary failures are retried (`design/supabase-wire.md`, "Retrying"): a broken connection,
    /// 408, 429 and 5xx. So a request must be safe to repeat. After the last attempt, its response
    /// is returned or its failure thrown.
    ///
    /// - Parameters:
    ///   - isFinal: whether to return a response although its status allows a retry.
    ///   - receive: handles the bytes of a successful response as they arrive; nil to collect them.
    ///     If the connection breaks after it was called, the request is not retried.
    /// - Throws: `WebFailure`, `RunStopped`, and the errors of `receive`.
    package func send(
        _ request: WebRequest, isFinal: (WebAnswer) -> Bool = { _ in false },
        receive: ((Span<UInt8>) throws -> Void)? = nil
    ) throws -> WebAnswer {
        var attempt = 1
        while true {
            let exchange = Exchange(receive)
            var asked: Int?
            do {
                let answer = try once(request, exchange)
                guard attempt < patience.attempts, Self.isPassing(answer.status), !isFinal(answer) else {
                    return answer
                }
                asked = answer.headers["retry-after"].flatMap { Int($0) }
            } catch let failure as WebFailure where failure.code == "REMOTE-BROKEN" {
                guard attempt < patience.attempts, !exchange.hasPassedOn else { throw failure }
            }
            try Interruption.rest(.milliseconds(patience.pause(after: attempt, asked: asked)))
            attempt += 1
        }
    }

    private static func isPassing(_ status: Int) -> Bool { [408, 429, 500, 502, 503, 504].contains(status) }

    private func once(_ request: WebRequest, _ exchange: Exchange) throws -> WebAnswer {
        try Interruption.check()
        unsafe curl_easy_reset(handle)
        var lines: UnsafeMutablePointer<curl_slist>?
        for (name, value) in request.headers { unsafe lines = curl_slist_append(lines, "\(name): \(value)") }
        // Prevents `Expect: 100-continue`, with which libcurl would wait before it sends a longer
        // body.
        unsafe lines = curl_slist_append(lines, "Expect:")
        defer { unsafe curl_slist_free_all(lines) }
        var message = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        let code = try unsafe message.withUnsafeMutableBufferPointer { message in
            try unsafe (request.body ?? []).withUnsafeBytes { body in
                unsafe set(CURLOPT_ERRORBUFFER, message.baseAddress)
                unsafe set(CURLOPT_HTTPHEADER, lines)
                try choose(request, bodyCount: body.count)
                if request.body != nil {
                    unsafe set(
                        CURLOPT_POSTFIELDS, body.count > 0 ? body.baseAddress : UnsafeRawPointer(message.baseAddress))
                }
                return try perform(exchange)
            }
        }
        if let failure = exchange.failure { throw failure }
        if exchange.isTooLarge {
            throw WebFailure.tooLarge(address: WebAddress.origin(of: request.url), limit: Exchange.limit)
        }
        try Interruption.check()
        guard code == CURLE_OK else { throw failure(code, message, request.url) }
        var status = 0
        unsafe curl_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
        return WebAnswer(status: status, headers: exchange.headers, body: exchange.body)
    }

    private func set(_ option: CURLoption, _ number: Int) { unsafe curl_set_number(handle, option, number) }
    private func set(_ option: CURLoption, _ pointer: UnsafeRawPointer?) {
        unsafe curl_set_pointer(handle, option, pointer)
    }
    private func set(_ option: CURLoption, text: String) {
        // libcurl copies strings, so the pointer need not outlive this call.
        unsafe text.withCString { unsafe set(option, UnsafeRawPointer($0)) }
    }

    private func choose(_ request: WebRequest, bodyCount: Int) throws {
        set(CURLOPT_URL, text: request.url)
        switch request.method {
        case .get: set(CURLOPT_HTTPGET, 1)
        case .head: set(CURLOPT_NOBODY, 1)
        default:
            if request.body != nil { set(CURLOPT_POST, 1) }
            set(CURLOPT_CUSTOMREQUEST, text: request.method.rawValue)
        }
        if request.body != nil { unsafe curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bodyCount)) }
        // Plain HTTP is allowed within this machine, and for requests that permit it.
        let isHere = WebAddress.isOfThisMachine(request.url)
        set(CURLOPT_PROTOCOLS_STR, text: isHere || request.mayGoInTheClear ? "http,https" : "https")
        if isHere { set(CURLOPT_NOPROXY, text: "*") }
        set(CURLOPT_USERAGENT, text: "fichero")
        set(CURLOPT_ACCEPT_ENCODING, text: "")
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let authority { set(CURLOPT_CAINFO, text: authority) }
        set(CURLOPT_CONNECTTIMEOUT, patience.connecting)
        set(CURLOPT_LOW_SPEED_LIMIT, 1)
        set(CURLOPT_LOW_SPEED_TIME, patience.silence)
        set(CURLOPT_TIMEOUT, patience.whole)
        set(CURLOPT_NOPROGRESS, 0)
    }

    private func perform(_ exchange: Exchange) throws -> CURLcode {
        let box = unsafe Unmanaged.passUnretained(exchange).toOpaque()
        unsafe set(CURLOPT_WRITEDATA, box)
        unsafe set(CURLOPT_HEADERDATA, box)
        unsafe set(CURLOPT_PRIVATE, box)
        unsafe curl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, box in
            guard let bytes = unsafe bytes, let box = unsafe box else { return 0 }
            let whole = size * count
            let exchange = unsafe Unmanaged<Exchange>.fromOpaque(box).takeUnretainedValue()
            return unsafe exchange.take(
                Span(_unsafeStart: UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self), count: whole))
                ? whole : 0
        }
        unsafe curl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, box in
            guard let bytes = unsafe bytes, let box = unsafe box else { return 0 }
            let line = unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: size * count), as: UTF8.self)
            unsafe Unmanaged<Exchange>.fromOpaque(box).takeUnretainedValue().take(header: line)
            return size * count
        }
        // Called at least once a second, even while no data moves.
        unsafe curl_set_watcher(handle) { _, _, _, _, _ in Interruption.isRequested ? 1 : 0 }
        return unsafe curl_easy_perform(handle)
    }

    private func failure(_ code: CURLcode, _ message: [CChar], _ url: String) -> WebFailure {
        let written = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let reason = written.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : written
        let address = WebAddress.origin(of: url)
        return switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
            CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR,
            CURLE_SSL_CACERT_BADFILE, CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
            .unreachable(address: address, reason: reason)
        default: .broken(address: address, reason: reason)
        }
    }
}

/// The data that libcurl passes on during one request.
private final class Exchange {
    private let receive: ((Span<UInt8>) throws -> Void)?
    private(set) var headers: [String: String] = [:]
    private(set) var body: [UInt8] = []
    private(set) var failure: (any Error)?
    /// Whether bytes were passed to `receive`; the request then cannot be retried.
    private(set) var hasPassedOn = false
    private var isSuccess = false

    /// The longest response that is collected; files are passed to receivers instead.
    static let limit = 256 << 20
    private(set) var isTooLarge = false

    init(_ receive: ((Span<UInt8>) throws -> Void)?) { self.receive = receive }

    func take(_ bytes: Span<UInt8>) -> Bool {
        guard isSuccess, let receive else {
            // If the server announces a body beyond the limit, the body is not stored at all.
            let announced = headers["content-length"].flatMap { Int($0) } ?? 0
            isTooLarge = max(body.count + bytes.count, announced) > Self.limit
            guard !isTooLarge else { return false }
            unsafe bytes.withUnsafeBufferPointer { unsafe body.append(contentsOf: $0) }
            return true
        }
        do {
            hasPassedOn = true
            try receive(bytes)
            return true
        } catch {
            failure = error
            return false
        }
    }

    func take(header line: String) {
        // Each response begins with a status line; a proxy's may come first.
        if line.hasPrefix("HTTP/") {
            headers.removeAll()
            isSuccess = line.split(separator: " ", maxSplits: 2).dropFirst().first?.hasPrefix("2") ?? false
            return
        }
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = line[line.index(after: colon)...]
        headers[line[..<colon].lowercased()] = value.trimmed
    }
}

extension Substring {
    /// Without white space around it.
    fileprivate var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}

/// The parts of an address that decide how a request is sent.
package enum WebAddress {
    /// Scheme, host and port: the part of an address that may appear in messages.
    package static func origin(of url: String) -> String {
        guard let start = url.firstRange(of: "://")?.upperBound else { return url }
        return String(url[..<(url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex)])
    }

    /// Whether the server is on this machine: `localhost` or a loopback address.
    package static func isOfThisMachine(_ url: String) -> Bool {
        guard let start = url.firstRange(of: "://")?.upperBound else { return false }
        let host = url[start...].prefix { !"/?#".contains($0) }
        guard !host.contains("@") else { return false }
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        return ["localhost", "127.0.0.1", "[::1]"].contains(name)
    }
}

/// Limits of waiting for a server, the number of attempts, and the pauses between them.
package struct WebTimeouts: Sendable, Hashable {
    /// Seconds within which a connection must be established.
    package var connecting = 10
    /// Seconds within which the server must send something.
    package var silence = 30
    /// Seconds within which the whole response must arrive; 0 for no limit.
    package var whole = 0
    /// The largest number of attempts for one request.
    package var attempts = 5
    /// Milliseconds before the second attempt. They double from one attempt to the next.
    package var firstPause = 500
    /// The longest pause in milliseconds, even if a server asks for a longer one.
    package var longestPause = 60_000

    package init() {}

    /// Milliseconds to wait after an attempt: the time that the server asked for, or a pause that
    /// doubles. That pause is randomly shortened by up to half, so that many clients do not return
    /// at once.
    ///
    /// - Parameters:
    ///   - attempt: the first is 1.
    ///   - asked: seconds that the server asked for (`Retry-After`).
    func pause(after attempt: Int, asked: Int?) -> Int {
        if let asked { return min(max(0, asked) * 1000, longestPause) }
        let whole = min(firstPause << min(attempt - 1, 16), longestPause)
        return whole - Int.random(in: 0...whole / 2)
    }
}
