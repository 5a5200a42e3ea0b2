import Foundation

/// libFuzzer's entry: one input for the reader that `FICHERO_FUZZ_READER` names. If a reader throws, that is its answer to a bad file;
/// only a trap, a hang or memory without bound is a fault.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: size))
    FuzzReaders.current.run(bytes)
    return 0
}
