package import Foundation
package import Model

/// Data for the head of each page and sheet: firm, project, date. Texts are in the run's language.
package struct DocumentHead: Sendable {
    package var title: String
    /// The project's readable name: `CHU-2025 · Carretera …`.
    package var project: String
    package var brand: Brand
    /// The environment's name, `DEV` or `STAGING`; nil in production.
    package var environmentBanner: String?
    /// Text across the page's head if the document is not final.
    package var draftBanner: String?
    package var language: Language
    package var timeZone: TimeZone
    /// The instant for which the document is made.
    package var asOf: Date
    /// The day of `asOf` in the language's format.
    package var day: String
    package var author: String
    package var words: ReportWords
    /// Whether the document has every section to which a link may lead; a preview has only the
    /// first of each repeated section.
    package var isWhole = true
    /// Which signed files this version follows; nil: none.
    package var follows: String?

    package init(
        title: String, project: String, brand: Brand, environmentBanner: String?, draftBanner: String?,
        language: Language,
        timeZone: TimeZone, asOf: Date, day: String, author: String, words: ReportWords
    ) {
        self.title = title
        self.project = project
        self.brand = brand
        self.environmentBanner = environmentBanner
        self.draftBanner = draftBanner
        self.language = language
        self.timeZone = timeZone
        self.asOf = asOf
        self.day = day
        self.author = author
        self.words = words
    }
}

/// The program's words on pages and in drawings, in the run's language.
package struct ReportWords: Sendable {
    private let word: @Sendable (String) -> String

    /// - Parameter word: the text of a key such as `report.word.page`, with `{…}` placeholders.
    package init(_ word: @escaping @Sendable (String) -> String) {
        self.word = word
    }

    package func callAsFunction(_ key: String, _ arguments: [String: String] = [:]) -> String {
        Texts.fill(word("word.report." + key), with: arguments)
    }
}

/// The firm's appearance on its documents (`brand.yaml`): name, address, logos, colours, fonts.
package struct Brand: Sendable, Hashable {
    package var name: String
    /// Address, telephone, web page: one line at the foot of each page.
    package var contact: String?
    /// The firm's logo on the left and the client's on the right.
    package var logo: ReportPicture?
    package var clientLogo: ReportPicture?
    /// Hexadecimal, `#1F4E79`: colour of titles, lines and table headers; `accent` is the
    /// background of groups and totals.
    package var primary: String
    package var accent: String
    package var font: String
    /// SHA-256 over the file and the logos: a change of appearance makes a different document.
    package var fingerprint: String

    package init(
        name: String, contact: String? = nil, logo: ReportPicture? = nil, clientLogo: ReportPicture? = nil,
        primary: String = "#1F3A5F", accent: String = "#DCE6F1",
        font: String = "Liberation Sans", fingerprint: String = ""
    ) {
        self.name = name
        self.contact = contact
        self.logo = logo
        self.clientLogo = clientLogo
        self.primary = primary
        self.accent = accent
        self.font = font
        self.fingerprint = fingerprint
    }
}
