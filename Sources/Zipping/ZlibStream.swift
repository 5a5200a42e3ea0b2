import CZlib

/// Whole texts in zlib's frame (RFC 1950), as PDF files hold them.
package enum ZlibStream {
    /// - Parameter level: 1 is fastest, 9 smallest.
    package static func compress(_ bytes: [UInt8], level: Int32) throws(ZipFailure) -> [UInt8] {
        let most = compressBound(UInt(bytes.count))
        var result = Z_OK
        // Not filled first: that took a tenth of the time of a picture.
        let output = unsafe [UInt8](unsafeUninitializedCapacity: Int(most)) { room, count in
            var length = most
            result = unsafe bytes.withUnsafeBufferPointer { unsafe compress2(room.baseAddress, &length, $0.baseAddress, UInt($0.count), level) }
            count = result == Z_OK ? Int(length) : 0
        }
        guard result == Z_OK else { throw .compression(number: result) }
        return output
    }

    /// - Parameter most: a text that is longer is refused.
    package static func decompress(_ bytes: ArraySlice<UInt8>, most: Int = 1 << 28) throws(ZipFailure) -> [UInt8] {
        var room = min(max(bytes.count * 6, 4096), most)
        while true {
            var output = [UInt8](repeating: 0, count: room)
            var length = UInt(room)
            let result = unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe bytes.withUnsafeBufferPointer { unsafe uncompress(output.baseAddress, &length, $0.baseAddress, UInt($0.count)) }
            }
            if result == Z_BUF_ERROR, room < most {
                room = min(room * 2, most)
                continue
            }
            guard result == Z_OK else { throw .compression(number: result) }
            output.removeLast(room - Int(length))
            return output
        }
    }
}
