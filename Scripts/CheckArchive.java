import java.io.File;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.xml.parsers.DocumentBuilderFactory;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.validation.profiles.ErrorArgument;
import org.verapdf.pdfa.validation.profiles.Profiles;
import org.verapdf.pdfa.validation.profiles.Rule;
import org.verapdf.pdfa.validation.profiles.RuleId;
import org.verapdf.pdfa.validation.profiles.ValidationProfile;
import org.verapdf.pdfa.validation.profiles.Variable;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Checks files by veraPDF against one of its profiles (PDFA-3B): for each file a line for every clause that it breaks, with the number of
 * breaches and the first of them, and a line with its path, the verdict and the number of checks.
 */
class CheckArchive {
    public static void main(String[] arguments) throws Exception {
        Logger.getLogger("").setLevel(Level.OFF);
        VeraGreenfieldFoundryProvider.initialise();
        ValidationProfile profile = profile(arguments[0]);
        for (int index = 1; index < arguments.length; index++) {
            try (var parser = Foundries.defaultInstance().createParser(new File(arguments[index]), profile.getPDFAFlavour());
                    var validator = Foundries.defaultInstance().createValidator(profile, false)) {
                var result = validator.validate(parser);
                var broken = new TreeMap<String, TestAssertion>();
                var counts = new TreeMap<String, Integer>();
                for (TestAssertion breach : result.getTestAssertions()) {
                    if (breach.getStatus() != TestAssertion.Status.FAILED) continue;
                    String clause = breach.getRuleId().getClause() + "-" + breach.getRuleId().getTestNumber();
                    broken.putIfAbsent(clause, breach);
                    counts.merge(clause, 1, Integer::sum);
                }
                for (var breach : broken.entrySet())
                    System.out.println(
                            breach.getKey() + " " + counts.get(breach.getKey()) + " " + breach.getValue().getMessage() + " at "
                                    + breach.getValue().getLocation().getContext());
                System.out.println(arguments[index] + " " + (result.isCompliant() ? "compliant" : "broken") + " " + result.getTotalAssertions());
            }
        }
    }

    /** Reads a profile without JAXB, which the library reads it with and Java no longer brings along. */
    private static ValidationProfile profile(String name) throws Exception {
        var stream = CheckArchive.class.getResourceAsStream("/org/verapdf/pdfa/validation/" + name + ".xml");
        Element root = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(stream).getDocumentElement();
        Set<Rule> rules = new HashSet<>();
        for (Element rule : elements(root, "rule")) {
            Element id = elements(rule, "id").get(0);
            RuleId ruleId = Profiles.ruleIdFromValues(
                    PDFAFlavour.Specification.valueOf(id.getAttribute("specification")), id.getAttribute("clause"),
                    Integer.parseInt(id.getAttribute("testNumber")));
            Boolean isDeferred = rule.hasAttribute("deferred") ? Boolean.valueOf(rule.getAttribute("deferred")) : null;
            List<ErrorArgument> none = new ArrayList<>();
            rules.add(Profiles.ruleFromValues(
                    ruleId, rule.getAttribute("object"), isDeferred, "", text(rule, "description"), text(rule, "test"),
                    Profiles.errorFromValues(text(rule, "message"), none), new ArrayList<>()));
        }
        Set<Variable> variables = new HashSet<>();
        for (Element variable : elements(root, "variable"))
            variables.add(Profiles.variableFromValues(
                    variable.getAttribute("name"), variable.getAttribute("object"), text(variable, "defaultValue"), text(variable, "value")));
        return Profiles.profileFromValues(
                PDFAFlavour.valueOf(root.getAttribute("flavour")), Profiles.profileDetailsFromValues(name, "", "", new Date(0)), "", rules, variables);
    }

    private static List<Element> elements(Element parent, String name) {
        NodeList found = parent.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int index = 0; index < found.getLength(); index++) elements.add((Element) found.item(index));
        return elements;
    }

    private static String text(Element parent, String name) {
        return elements(parent, name).get(0).getTextContent();
    }
}
