#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The version in files, runs and `--version`.
enum ProgramVersion {
    static let current = "0.1.0"

    /// Identifies the program in what is kept from one run to the next: another build of the same
    /// version may judge differently.
    static let build: String = {
        // Not by its path, since another program may be there by now.
        var facts = stat()
        guard unsafe stat("/proc/self/exe", &facts) == 0 else { return current }
        return "\(current) \(facts.st_size) \(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec)"
    }()
}
