internal import CQPDF
import Glibc

/// A PDF as qpdf reads it: the only wrapper of qpdf. Its objects can be changed in memory; the
/// original bytes do not change.
@safe final class ParsedDocument {
    fileprivate var handle: OpaquePointer?
    /// The bytes that qpdf reads as long as its handle exists.
    private let bytes: UnsafeMutableRawBufferPointer

    /// Throws for a document without a valid cross-reference table, because objects that qpdf only
    /// guessed must not be signed.
    init(_ content: some Collection<UInt8>, path: String) throws(SigningFailure) {
        unsafe bytes = .allocate(byteCount: content.count, alignment: 16)
        unsafe bytes.copyBytes(from: content)
        unsafe handle = qpdf_init()
        unsafe qpdf_silence_errors(handle)
        unsafe qpdf_set_suppress_warnings(handle, 1)
        unsafe qpdf_set_attempt_recovery(handle, 0)
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        _ = unsafe qpdf_read_memory(handle, "", start, UInt64(content.count), nil)
        if unsafe qpdf_has_error(handle) != 0 {
            let error = unsafe qpdf_get_error(handle)
            if unsafe qpdf_get_error_code(handle, error) == qpdf_e_password { throw .encrypted(path: path) }
            let reason = unsafe qpdf_get_error_message_detail(handle, error).map { unsafe String(cString: $0) }
            throw .damaged(path: path, reason: reason ?? "—")
        }
        guard root.isDictionary, root.isIndirect else { throw .damaged(path: path, reason: "/Root") }
    }

    deinit {
        // If an error was not fetched, qpdf would print it.
        if unsafe qpdf_has_error(handle) != 0 { _ = unsafe qpdf_get_error(handle) }
        unsafe qpdf_cleanup(&handle)
        unsafe bytes.deallocate()
    }

    var isEncrypted: Bool { unsafe qpdf_is_encrypted(handle) != 0 }
    var trailer: PDFObject { wrap(unsafe qpdf_get_trailer(handle)) }
    var root: PDFObject { wrap(unsafe qpdf_get_root(handle)) }

    /// One more than the highest number of an object.
    var size: Int { trailer["/Size"].integer ?? 0 }

    func object(_ number: Int, generation: Int = 0) -> PDFObject {
        wrap(unsafe qpdf_get_object_by_id(handle, Int32(clamping: number), Int32(clamping: generation)))
    }

    var pageCount: Int { max(0, Int(unsafe qpdf_get_num_pages(handle))) }

    /// Returns nil if there is no such page, or the pages cannot be found.
    func page(_ index: Int) -> PDFObject? {
        guard (0..<pageCount).contains(index) else { return nil }
        let page = wrap(unsafe qpdf_get_page_n(handle, index))
        return page.isDictionary ? page : nil
    }

    /// Makes a new object from its text, which must not refer to other objects.
    func parse(_ text: String) -> PDFObject { wrap(unsafe qpdf_oh_parse(handle, text)) }

    /// A dictionary with the same values, which can be changed without changing the original.
    func copy(_ dictionary: PDFObject) -> PDFObject {
        let copy = wrap(unsafe qpdf_oh_new_dictionary(handle))
        for key in dictionary.keys { copy.set(key, dictionary[key]) }
        return copy
    }

    fileprivate func wrap(_ number: UInt32) -> PDFObject { PDFObject(document: self, handle: number) }
}

/// A value in a document: what is missing is null, as in PDF itself.
struct PDFObject {
    fileprivate let document: ParsedDocument
    fileprivate let handle: UInt32
    private var owner: OpaquePointer? { unsafe document.handle }

    /// Whether the value is null, as is every missing value.
    var isNull: Bool { unsafe qpdf_oh_is_null(owner, handle) != 0 }
    var isDictionary: Bool { unsafe qpdf_oh_is_dictionary(owner, handle) != 0 }
    var isArray: Bool { unsafe qpdf_oh_is_array(owner, handle) != 0 }
    var isTrue: Bool { unsafe qpdf_oh_is_bool(owner, handle) != 0 && qpdf_oh_get_bool_value(owner, handle) != 0 }
    var isStream: Bool { unsafe qpdf_oh_is_stream(owner, handle) != 0 }
    var isIndirect: Bool { unsafe qpdf_oh_is_indirect(owner, handle) != 0 }
    var number: Int { Int(unsafe qpdf_oh_get_object_id(owner, handle)) }
    var generation: Int { Int(unsafe qpdf_oh_get_generation(owner, handle)) }

    /// A dictionary's value.
    subscript(key: String) -> PDFObject { document.wrap(unsafe qpdf_oh_get_key_if_dict(owner, handle, key)) }

    var keys: [String] {
        guard isDictionary else { return [] }
        var keys: [String] = []
        unsafe qpdf_oh_begin_dict_key_iter(owner, handle)
        while unsafe qpdf_oh_dict_more_keys(owner) != 0 {
            if let key = unsafe qpdf_oh_dict_next_key(owner) { keys.append(unsafe String(cString: key)) }
        }
        return keys
    }

    /// An array's items; empty for any other value.
    var items: [PDFObject] {
        guard isArray else { return [] }
        return (0..<max(0, unsafe qpdf_oh_get_array_n_items(owner, handle))).map {
            document.wrap(unsafe qpdf_oh_get_array_item(owner, handle, $0))
        }
    }

    var integer: Int? {
        var value: Int64 = 0
        return unsafe qpdf_oh_get_value_as_longlong(owner, handle, &value) != 0 ? Int(value) : nil
    }

    var real: Double? {
        var value = 0.0
        return unsafe qpdf_oh_get_value_as_number(owner, handle, &value) != 0 ? value : nil
    }

    /// A name, with its slash.
    var name: String? {
        guard unsafe qpdf_oh_is_name(owner, handle) != 0, let name = unsafe qpdf_oh_get_name(owner, handle) else {
            return nil
        }
        return unsafe String(cString: name)
    }

    private var isString: Bool { unsafe qpdf_oh_is_string(owner, handle) != 0 }

    /// A string's bytes.
    var bytes: [UInt8]? {
        var count = 0
        guard isString, let start = unsafe qpdf_oh_get_binary_string_value(owner, handle, &count) else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// A string's text, decoded.
    var text: String? {
        var count = 0
        guard isString, let start = unsafe qpdf_oh_get_binary_utf8_value(owner, handle, &count) else { return nil }
        return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The value as a file contains it; for an object with a number, its reference.
    var written: [UInt8] { unsafe text(qpdf_oh_unparse(owner, handle)) }

    /// The value as a file contains it; for an object with a number, its content.
    var content: [UInt8] { unsafe text(qpdf_oh_unparse_resolved(owner, handle)) }

    private func text(_ start: UnsafePointer<CChar>?) -> [UInt8] {
        guard let start = unsafe start else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: qpdf_get_last_string_length(owner)))
    }

    /// A stream's dictionary.
    var dictionary: PDFObject { document.wrap(unsafe qpdf_oh_get_dict(owner, handle)) }

    /// A stream's bytes, as they are stored.
    var stored: [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?, count = 0
        // The result may also contain bits for warnings.
        guard unsafe qpdf_oh_get_stream_data(owner, handle, qpdf_dl_none, nil, &start, &count) & QPDF_ERRORS == 0,
            let start = unsafe start
        else { return [] }
        defer { unsafe free(start) }
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// Frees the library's memory for this value after its last use; for walks over many values.
    func release() { unsafe qpdf_oh_release(owner, handle) }

    // MARK: Changing

    func set(_ key: String, _ value: PDFObject) { unsafe qpdf_oh_replace_key(owner, handle, key, value.handle) }
    func remove(_ key: String) { unsafe qpdf_oh_remove_key(owner, handle, key) }
    func append(_ value: PDFObject) { unsafe qpdf_oh_append_item(owner, handle, value.handle) }
}
