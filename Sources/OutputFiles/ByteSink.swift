import Zipping

/// A destination for finished bytes: a file, or a compressed entry of one.
package protocol ByteSink: ~Copyable, SendableMetatype {
    mutating func write(_ bytes: Span<UInt8>) throws
}

extension ZipStream: ByteSink where Output: ~Copyable {}
