package dev.sluice.reports.mutation;

import dev.sluice.reports.Xml;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.w3c.dom.Element;

/**
 * One change that PIT made to the code, and what the tests said to it. Immutable.
 *
 * @param className simple, without that of nested classes
 * @param noticed whether a test failed, or did not end, with it
 * @param covered whether a test ran the changed line
 */
record Mutant(
    String className, String method, String line, String change, boolean noticed, boolean covered) {

  /** All of one run, from its {@code mutations.xml}. */
  static List<Mutant> in(Path file) throws IOException {
    return Xml.elements(file, "mutation").stream().map(Mutant::of).toList();
  }

  private static Mutant of(Element mutation) {
    String name = text(mutation, "mutatedClass");
    String simple = name.substring(name.lastIndexOf('.') + 1);
    int nested = simple.indexOf('$');
    return new Mutant(
        nested < 0 ? simple : simple.substring(0, nested),
        text(mutation, "mutatedMethod"),
        text(mutation, "lineNumber"),
        text(mutation, "description"),
        Boolean.parseBoolean(mutation.getAttribute("detected")),
        !mutation.getAttribute("status").equals("NO_COVERAGE"));
  }

  private static String text(Element mutation, String name) {
    List<Element> found = Xml.elements(mutation, name);
    return found.isEmpty() ? "" : found.get(0).getTextContent();
  }

  String where() {
    return className + "." + method + ":" + line + " " + change;
  }
}
