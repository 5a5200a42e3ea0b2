import Foundation
import Glibc

/// A server on this machine that answers every request for encryption with no.
final class PlainServer: @unchecked Sendable {
    let port: Int
    private let listener: Int32

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in(sin_family: sa_family_t(AF_INET), sin_port: 0, sin_addr: in_addr(s_addr: UInt32(0x7f00_0001).bigEndian), sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let opened = listener
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { socket in
                _ = unsafe bind(opened, socket, length)
                _ = unsafe getsockname(opened, socket, &length)
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        listen(listener, 4)
        let waiting = listener
        Thread.detachNewThread {
            while true {
                let client = accept(waiting, nil, nil)
                guard client >= 0 else { return }
                var request = [UInt8](repeating: 0, count: 8)
                _ = unsafe recv(client, &request, 8, 0)
                _ = unsafe send(client, "N", 1, Int32(MSG_NOSIGNAL))
                close(client)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }
}
