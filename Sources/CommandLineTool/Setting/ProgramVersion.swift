#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The version that files, runs and `--version` carry.
enum ProgramVersion {
    static let current = "0.1.0"

    /// Which program this is, to what is kept from one run to the next: another build of the same version may judge otherwise.
    static let build: String = {
        // Not by its path: another program may lie there by now.
        var facts = stat()
        guard unsafe stat("/proc/self/exe", &facts) == 0 else { return current }
        return "\(current) \(facts.st_size) \(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec)"
    }()
}
