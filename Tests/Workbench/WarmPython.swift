package import Foundation
import Synchronization

/// Python that has imported what the scripts of tests use. Each script runs in a child of it, as with `python3 -c`:
/// importing openpyxl takes longer than most scripts.
package enum WarmPython {
    /// How a script ended, and what it printed.
    package struct Run: Sendable {
        /// The exit code; 128 plus the number of the signal, if a signal ended it.
        package var status: Int32
        package var output: Data
        /// Empty where the errors come with the output.
        package var errors: Data
    }

    package static let path = "/usr/bin/python3"

    private struct Order: Encodable {
        var script: String
        var arguments: [String]
        var folder: String?
        var variables: [String: String]?
        var input: String?
        var output: String
        var errors: String?
    }

    private struct Answer: Decodable {
        var status: Int32
        var seconds: Double
        var processor: Double
    }

    /// Those that wait for a script. Each runs one at a time.
    private static let idle = Mutex<[ServingProgram]>([])

    /// - Parameters:
    ///   - folder: the working directory; nil: that of the tests.
    ///   - environment: all variables; nil: those of the tests.
    ///   - input: what the script reads from standard input.
    ///   - isJoined: whether errors come with the output.
    package static func run(
        _ script: String, _ arguments: [String], in folder: String?, environment: [String: String]? = nil,
        input: String? = nil, isJoined: Bool
    ) throws -> Run {
        let place = try TemporaryFolder()
        let order = Order(
            script: script, arguments: arguments, folder: folder, variables: environment,
            input: try input.map { try place.write(Array($0.utf8), to: "input") }, output: place.file("output"),
            errors: isJoined ? nil : place.file("errors"))
        let python = try idle.withLock { $0.popLast() } ?? ServingProgram(python: ["-c", program])
        let line = try python.ask(String(decoding: JSONEncoder().encode(order), as: UTF8.self))
        guard !line.isEmpty else { throw StartedProgram.Trouble(description: "Python ended before its script did") }
        let answer = try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
        idle.withLock { $0.append(python) }
        WorkCount.add("run python3 -c", seconds: answer.seconds, processor: answer.processor)
        func content(_ path: String?) throws -> Data {
            try path.map { try Data(contentsOf: URL(fileURLWithPath: $0)) } ?? Data()
        }
        return Run(status: answer.status, output: try content(order.output), errors: try content(order.errors))
    }

    /// Reads an order a line, and answers each with a line. The exit code of a child that a signal ended is negative.
    private static let program = """
        import atexit, json, os, sys, time, traceback, types
        import csv, datetime, glob, hashlib, io, re, sqlite3, struct, subprocess, zipfile
        import lxml.etree, openpyxl, PIL.Image

        def run(order):
            writing = os.O_WRONLY | os.O_CREAT | os.O_APPEND
            for number, path, flags in [
                (0, order.get("input") or os.devnull, os.O_RDONLY), (1, order["output"], writing),
                (2, order.get("errors"), writing),
            ]:
                file = os.open(path, flags, 0o600) if path else os.dup(1)
                os.dup2(file, number)
                os.close(file)
            sys.stdin = open(0, encoding="utf-8", closefd=False)
            if order.get("variables") is not None:
                os.environ.clear()
                os.environ.update(order["variables"])
            if order.get("folder"):
                os.chdir(order["folder"])
            sys.argv = ["-c", *order["arguments"]]
            main = sys.modules["__main__"] = types.ModuleType("__main__")
            try:
                exec(compile(order["script"], "<string>", "exec"), main.__dict__)
                return 0
            except SystemExit as end:
                if end.code is None or isinstance(end.code, int):
                    return end.code or 0
                print(end.code, file=sys.stderr)
            except BaseException:
                traceback.print_exc()
            return 1

        orders, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
        print("ready", file=answers, flush=True)
        for line in orders:
            began, child = time.monotonic(), os.fork()
            if child == 0:
                os.closerange(3, 64)
                status = run(json.loads(line))
                atexit._run_exitfuncs()
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(status & 255)
            _, status, usage = os.wait4(child, 0)
            code = os.waitstatus_to_exitcode(status)
            print(json.dumps({
                "status": code if code >= 0 else 128 - code, "seconds": time.monotonic() - began,
                "processor": usage.ru_utime + usage.ru_stime,
            }), file=answers, flush=True)
        """
}
