import Testing

@testable import Importing
@testable import Suggesting

/// Names of a drafted pack have the form that packs require, each once.
struct DraftNamesTests {
    @Test(arguments: [
        ("projectId", "project_id"), ("Fecha de inicio", "fecha_de_inicio"), ("N° de Pozo (m)", "n_de_pozo_m"), ("123", "n123"), ("Año", "ano"), ("__x__", "x"), ("ÑANDÚ", "nandu"), ("a1B", "a1_b"),
    ])
    func aTextBecomesAName(_ text: String, _ name: String) { #expect(DraftNames.plain(text) == name) }

    @Test(arguments: ["", "···", "日本", "🙂"]) func aTextWithoutLettersHasNone(_ text: String) { #expect(DraftNames.plain(text) == nil) }

    @Test func aNameIsGivenOnce() {
        var names = DraftNames(reserved: DraftNames.reservedFields)
        #expect((names.name("id", other: "f"), names.name("id", other: "f"), names.name("!", other: "f"), names.name("and", other: "f")) == ("id_2", "id_3", "f", "and_2"))
        let long = String(repeating: "long_", count: 40)
        #expect(names.name(long, other: "f") != names.name(long, other: "f"))
    }

    @Test func aLabelHasNoPlaceholderAndNoMarks() {
        #expect(DraftNames.cleaned("**Depth** of ${name}\n in {m} <b>x</b>") == "Depth of … in m x")
    }

    @Test func whatSpeaksOfPeopleBeginsAsPersonal() {
        #expect(["e_mail", "Teléfono", "owner_name"].allSatisfy(DraftNames.isPersonal) && !["depth", "mailbox_count"].contains(where: DraftNames.isPersonal))
    }

    @Test(arguments: [
        ("select one from yes_no", XLSFormQuestion.one(list: "yes_no", isOpen: false)), ("select_one yes_no or_other", .one(list: "yes_no", isOpen: true)), ("select all that apply from x or specify other", .several(list: "x", isOpen: true)),
        ("select_multiple x", .several(list: "x", isOpen: false)), ("rank x", .several(list: "x", isOpen: false)), ("begin_repeat", .begin(isRepeat: true)), ("Begin Group", .begin(isRepeat: false)), ("end repeat", .end),
        ("dateTime", .instant), ("GPS", .place), ("photo", .photo), ("select_one_from_file a.csv", .other), ("geoshape", .other), ("int", .integer), ("audit", .note), ("background-audio", .other),
    ])
    func aTypeIsKnownInEverySpelling(_ type: String, _ kind: XLSFormQuestion) { #expect(XLSFormQuestion(type) == kind) }

    @Test(arguments: [("Label :: English (en)", "label::english (en)"), ("label:Español", "label::español"), ("List Name", "list_name"), ("relevance", "relevant"), ("Constraint Message", "constraint_message")])
    func aHeadingHasOneForm(_ heading: String, _ normal: String) { #expect(XLSFormSheet.normal(heading) == normal) }
}
