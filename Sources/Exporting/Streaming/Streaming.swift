// What every writer of bulk rows shares: a buffer of bytes that formats numbers, a file that appears only when complete,
// a second thread that takes the bytes away, and a thread that steps the query ahead of the formatting.

import Zipping

/// Where finished bytes go: a file, or a compressed entry of one.
package protocol ByteSink: ~Copyable, SendableMetatype {
    mutating func write(_ bytes: Span<UInt8>) throws
}

extension ZipStream: ByteSink where Output: ~Copyable {}
