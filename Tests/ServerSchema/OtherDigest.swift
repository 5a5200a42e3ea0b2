import Workbench

/// The digest of a proof, computed by Python.
enum OtherDigest {
    /// The sum of the first 60 bits of the MD5 of each text.
    static func sum(_ texts: [String]) throws -> String {
        try OtherProgram.python("import sys, hashlib; print(sum(int(hashlib.md5(t.encode()).hexdigest()[:15], 16) for t in sys.argv[1].split('\\n')))", texts.joined(separator: "\n"))
    }
}
