import Glibc

/// A file that is deleted together with this value.
package struct TemporaryFile: ~Copyable {
    package let path: String

    package init(path: String) { self.path = path }

    deinit { unsafe unlink(path) }
}
