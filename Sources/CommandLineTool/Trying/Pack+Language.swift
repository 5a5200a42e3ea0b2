import Model

extension Pack {
    /// The language in which a pack answers a reader: the reader's, if the pack has it; else the
    /// pack's first.
    func language(for reader: Language) -> Language { languages.contains(reader) ? reader : languages.first ?? reader }
}
