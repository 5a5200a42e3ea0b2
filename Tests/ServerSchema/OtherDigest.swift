import Workbench

/// The digest of a proof, computed by Python: lookup3 with a seed, summed over lines of
/// `id microseconds-since-2000`.
enum OtherDigest {
    static func sum(_ lines: [String]) throws -> String { try OtherProgram.python(script, lines.joined(separator: "\n")) }

    private static let script = """
        import sys, struct, uuid
        M = 0xFFFFFFFF
        rot = lambda x, k: ((x << k) | (x >> (32 - k))) & M
        def mix(w):
            for x, y, z, k in ((0, 2, 1, 4), (1, 0, 2, 6), (2, 1, 0, 8), (0, 2, 1, 16), (1, 0, 2, 19), (2, 1, 0, 4)):
                w[x] = ((w[x] - w[y]) & M) ^ rot(w[y], k)
                w[y] = (w[y] + w[z]) & M
        def final(w):
            for x, y, k in ((2, 1, 14), (0, 2, 11), (1, 0, 25), (2, 1, 16), (0, 2, 4), (1, 0, 14), (2, 1, 24)):
                w[x] = ((w[x] ^ w[y]) - rot(w[y], k)) & M
            return w[1] << 32 | w[2]
        def start(length, seed):
            w = [(0x9E3779B9 + length + 3923095) & M] * 3
            if seed:
                w[0] = (w[0] + (seed >> 32)) & M
                w[1] = (w[1] + (seed & M)) & M
                mix(w)
            return w
        def time(t):
            low, high = t & M, (t >> 32) & M
            w = start(4, 0)
            w[0] = (w[0] + (low ^ (high if t >= 0 else ~high & M))) & M
            return final(w)
        def row(line):
            name, t = line.split()
            k = struct.unpack('<4I', uuid.UUID(name).bytes)
            w = start(16, time(int(t)))
            w = [(x + y) & M for x, y in zip(w, k)]
            mix(w)
            w[0] = (w[0] + k[3]) & M
            n = final(w)
            return n - (1 << 64) if n >> 63 else n
        print(sum(map(row, sys.argv[1].split('\\n'))))
        """
}
