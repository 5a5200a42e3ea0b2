import Foundation
import Model
import Testing
import Workbench

@testable import Web

/// Requests to a server that misbehaves as networks do.
@Suite struct WebConnectionTests {
    /// Answers by path; it counts the requests of each path.
    private final class Server {
        let url: String
        private let program: ServingProgram

        init() throws {
            let script = #"""
                import socket, sys, threading
                count = {}
                def serve(client):
                    head = b''
                    while b'\r\n\r\n' not in head:
                        more = client.recv(4096)
                        if not more: return
                        head += more
                    method, path = head.split(b' ')[:2]
                    length = 0
                    for line in head.split(b'\r\n'):
                        if line.lower().startswith(b'content-length:'): length = int(line.split(b':')[1])
                    body = head.split(b'\r\n\r\n', 1)[1]
                    while len(body) < length: body += client.recv(4096)
                    count[path] = count.get(path, 0) + 1
                    n = count[path]
                    def answer(status, text=b'', extra=b'', length=None):
                        client.sendall(b'HTTP/1.1 %s x\r\nContent-Length: %d\r\n%s\r\n%s' % (status, len(text) if length is None else length, extra, text))
                    if path == b'/echo': answer(b'200', method + b' ' + body, b'X-Kind: echo\r\n')
                    elif path == b'/busy': answer(b'503' if n < 3 else b'200', b'%d' % n)
                    elif path == b'/down': answer(b'500', b'%d' % n)
                    elif path == b'/asked': answer(b'429' if n < 2 else b'200', b'%d' % n, b'Retry-After: 0\r\n')
                    elif path == b'/cut': answer(b'200', b'abc', length=3 if n > 1 else 9)
                    elif path == b'/long': answer(b'200', b'abc', length=3 if n > 1 else 300 << 20)
                    elif path == b'/wrong': answer(b'404', b'%d' % n)
                    elif path == b'/away': answer(b'302', b'', b'Location: /echo\r\n')
                    elif path == b'/hang':
                        client.sendall(b'HTTP/1.1 200 x\r\nContent-Length: 5\r\n\r\n')
                        sys.stdin.read()
                    client.close()
                door = socket.create_server(('127.0.0.1', 0))
                print(door.getsockname()[1], flush=True)
                def accept():
                    while True: threading.Thread(target=serve, args=(door.accept()[0],), daemon=True).start()
                threading.Thread(target=accept, daemon=True).start()
                sys.stdin.read()
                """#
            program = try ServingProgram(python: ["-c", script])
            url = "http://127.0.0.1:" + program.greeting
        }
    }

    private static let quick: WebTimeouts = {
        var patience = WebTimeouts()
        (patience.firstPause, patience.silence, patience.attempts) = (1, 1, 4)
        return patience
    }()

    private func text(_ answer: WebAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }

    @Test func requestsCarryTheirMethodAndBodyAndAnswersTheirHeaders() throws {
        let server = try Server(), connection = WebConnection(patience: Self.quick)
        for method in [WebRequest.Method.post, .put, .patch, .delete] {
            let answer = try connection.send(WebRequest(method, server.url + "/echo", body: Array("día".utf8)))
            #expect(text(answer) == method.rawValue + " día" && answer.headers["x-kind"] == "echo" && answer.status == 200)
        }
        #expect(try text(connection.send(WebRequest(.get, server.url + "/echo"))) == "GET ")
        #expect(try text(connection.send(WebRequest(.post, server.url + "/echo", body: []))) == "POST ")
        #expect(try connection.send(WebRequest(.head, server.url + "/echo")).headers["x-kind"] == "echo")
        #expect(try text(connection.send(WebRequest(.delete, server.url + "/echo"))) == "DELETE ")
    }

    @Test func whatMayPassIsTriedAgainAndNothingElse() throws {
        let server = try Server(), connection = WebConnection(patience: Self.quick)
        #expect(try text(connection.send(WebRequest(.get, server.url + "/busy"))) == "3")
        #expect(try text(connection.send(WebRequest(.get, server.url + "/asked"))) == "2")
        #expect(try text(connection.send(WebRequest(.get, server.url + "/cut"))) == "abc")
        let wrong = try connection.send(WebRequest(.get, server.url + "/wrong"))
        #expect(wrong.status == 404 && text(wrong) == "1")
        let down = try connection.send(WebRequest(.get, server.url + "/down"))
        #expect(down.status == 500 && text(down) == "4", "the last answer, after all attempts")
        #expect(try text(connection.send(WebRequest(.get, server.url + "/down"), isFinal: { _ in true })) == "5")
    }

    /// Another attempt would bring as much.
    @Test func anAnswerThatIsTooLongIsSaidAndNotAskedForAgain() throws {
        let server = try Server(), connection = WebConnection(patience: Self.quick)
        let failure = #expect(throws: WebFailure.self) { try connection.send(WebRequest(.get, server.url + "/long")) }
        #expect(failure == .tooLarge(address: server.url, limit: 256 << 20) && failure?.exitCode == .badInput)
        #expect(
            try text(connection.send(WebRequest(.get, server.url + "/long"))) == "abc", "only now it is asked again")
    }

    @Test func redirectsAreNotFollowed() throws {
        let server = try Server()
        #expect(try WebConnection(patience: Self.quick).send(WebRequest(.get, server.url + "/away")).status == 302)
    }

    @Test func aReceiverTakesABodyOnceAndItsErrorEndsTheRequest() throws {
        let server = try Server(), connection = WebConnection(patience: Self.quick)
        var taken: [UInt8] = []
        let answer = try connection.send(WebRequest(.get, server.url + "/echo"), receive: { bytes in for index in bytes.indices { taken.append(bytes[index]) } })
        #expect(answer.body.isEmpty && String(decoding: taken, as: UTF8.self) == "GET ")
        #expect(throws: WebFailure.self) { try connection.send(WebRequest(.get, server.url + "/cut"), receive: { _ in }) }
        struct Full: Error {}
        #expect(throws: Full.self) { try connection.send(WebRequest(.get, server.url + "/echo"), receive: { _ in throw Full() }) }
        #expect(try text(connection.send(WebRequest(.get, server.url + "/wrong"), receive: { _ in throw Full() })) == "1", "a refusal is no file")
    }

    @Test func whoIsSilentOrNotThereCountsAsGone() throws {
        let server = try Server()
        var patience = Self.quick
        patience.attempts = 1
        let connection = WebConnection(patience: patience)
        #expect { try connection.send(WebRequest(.get, server.url + "/hang")) } throws: { error in
            let failure = error as? WebFailure
            return failure?.code == "REMOTE-BROKEN" && failure?.arguments["address"] == server.url
        }
        for url in ["http://127.0.0.1:1/", "https://db.invalid/", "http://central.example/", "file:///etc/passwd"] {
            #expect { try connection.send(WebRequest(.get, url)) } throws: { error in
                (error as? WebFailure)?.code == "REMOTE-UNREACHABLE"
            }
        }
    }

    @Test func anAnswerMayHaveABoundAsAWhole() throws {
        let server = try Server()
        var patience = Self.quick
        (patience.attempts, patience.silence, patience.whole) = (1, 30, 1)
        let connection = WebConnection(patience: patience)
        #expect(throws: WebFailure.self) { try connection.send(WebRequest(.get, server.url + "/hang")) }
    }

    /// Only where the request itself says so does anything leave this machine in the clear.
    @Test func whatIsNoSecretMayGoInTheClear() throws {
        var patience = Self.quick
        patience.attempts = 1
        let connection = WebConnection(patience: patience)
        func isRefused(inTheClear: Bool) -> Bool {
            var request = WebRequest(.get, "http://db.invalid/")
            request.mayGoInTheClear = inTheClear
            do { _ = try connection.send(request) } catch let failure as WebFailure { return failure.arguments["reason"]?.contains("rotocol") == true } catch {}
            return false
        }
        #expect(isRefused(inTheClear: false) && !isRefused(inTheClear: true))
    }

    @Test func onlyThisMachineIsThisMachine() {
        for url in ["http://localhost/x", "http://127.0.0.1:54321", "http://[::1]:80/x"] { #expect(WebAddress.isOfThisMachine(url)) }
        for url in ["http://localhost.example/", "http://127.0.0.1@central.example/", "http://127.0.0.1.example", "localhost", "https://central.example/?localhost"] {
            #expect(!WebAddress.isOfThisMachine(url), "\(url)")
        }
        #expect(WebAddress.origin(of: "https://central.example:8443/rest/v1?x=1") == "https://central.example:8443")
    }

    @Test func pausesDoubleWithinABoundAndTheServersOwnCounts() {
        let patience = WebTimeouts()
        for attempt in 1...40 {
            let whole = min(500 << min(attempt - 1, 16), 60_000)
            #expect((whole / 2...whole).contains(patience.pause(after: attempt, asked: nil)))
        }
        #expect(patience.pause(after: 1, asked: 7) == 7000 && patience.pause(after: 1, asked: 9999) == 60_000 && patience.pause(after: 1, asked: -1) == 0)
    }
}
