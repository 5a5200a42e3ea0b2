import Glibc
import Testing
import Workbench

@testable import OutputFiles

/// A read or write of an open file handles all of the bytes or gives the number of the error.
@Suite struct OpenFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Opens a file while the closure runs.
    private func opened<T>(_ path: String, _ flags: Int32, _ body: (Int32) throws -> T) throws -> T {
        let descriptor = unsafe open(path, flags)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        return try body(descriptor)
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int64) -> Int32? {
        unsafe bytes.withUnsafeBytes { unsafe OpenFile.write($0, to: descriptor, at: offset) }
    }

    /// The bytes that were read, and the number of the error if there was one.
    private func read(_ count: Int, from descriptor: Int32, at offset: Int64) -> (bytes: [UInt8], error: Int32?) {
        var bytes = [UInt8](repeating: 0, count: count)
        let error = unsafe bytes.withUnsafeMutableBytes { unsafe OpenFile.read(into: $0, from: descriptor, at: offset) }
        return (bytes, error)
    }

    @Test func whatIsWrittenAtAnOffsetIsReadThere() throws {
        let path = try folder.write([9, 9, 9, 9], to: "f")
        try opened(path, O_RDWR) { file in
            #expect(write([1, 2], to: file, at: 1) == nil)
            #expect(write([], to: file, at: 1000) == nil, "nothing is written nowhere")
            #expect(write([7], to: file, at: 6) == nil, "a gap is filled by the system")
            let (bytes, error) = read(7, from: file, at: 0)
            #expect(bytes == [9, 1, 2, 9, 0, 0, 7] && error == nil)
        }
        #expect(try folder.data(of: "f").count == 7)
    }

    @Test func aFileThatEndsBeforeIsAnError() throws {
        let path = try folder.write([1, 2, 3], to: "f")
        try opened(path, O_RDONLY) { file in
            #expect(read(3, from: file, at: 0).error == nil)
            #expect(read(3, from: file, at: 1).error == EIO)
            #expect(read(1, from: file, at: 3).error == EIO)
            #expect(read(0, from: file, at: 3).error == nil)
        }
    }

    @Test func theErrorsOfTheSystemAreHandedOn() throws {
        let path = try folder.write([1], to: "f")
        try opened(path, O_RDONLY) { file in #expect(write([1], to: file, at: 0) == EBADF) }
        try opened(path, O_WRONLY) { file in #expect(read(1, from: file, at: 0).error == EBADF) }
        try opened("/dev/full", O_WRONLY) { file in #expect(write([1], to: file, at: 0) == ENOSPC) }
    }
}
