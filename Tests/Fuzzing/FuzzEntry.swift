import Foundation

/// The entry of libFuzzer: one input for the reader that `FICHERO_FUZZ_READER` names. A reader may
/// refuse a bad file with an error. Only a crash, a hang or unbounded memory is a fault.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: size))
    FuzzReaders.current.run(bytes)
    return 0
}
