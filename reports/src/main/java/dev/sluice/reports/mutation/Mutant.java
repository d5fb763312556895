package dev.sluice.reports.mutation;

import dev.sluice.reports.Xml;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.w3c.dom.Element;

/**
 * One change that PIT made to the code, and what the tests said to it. Immutable.
 *
 * @param className simple, without that of nested classes
 * @param method for a lambda expression the method that it is in
 * @param change in PIT's words, without the packages of classes
 * @param noticed whether a test failed, or did not end, with it
 * @param covered whether a test ran the changed line
 */
record Mutant(
    String className, String method, String line, String change, boolean noticed, boolean covered) {

  private static final Pattern LAMBDA = Pattern.compile("lambda\\$(\\w+)\\$\\d+");
  private static final Pattern PACKAGE = Pattern.compile("\\b(?:[a-z]\\w*/)+");

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
        LAMBDA.matcher(text(mutation, "mutatedMethod")).replaceAll("$1"),
        text(mutation, "lineNumber"),
        change(text(mutation, "description")),
        Boolean.parseBoolean(mutation.getAttribute("detected")),
        !mutation.getAttribute("status").equals("NO_COVERAGE"));
  }

  private static String change(String description) {
    return LAMBDA.matcher(PACKAGE.matcher(description).replaceAll("")).replaceAll("$1");
  }

  private static String text(Element mutation, String name) {
    List<Element> found = Xml.elements(mutation, name);
    return found.isEmpty() ? "" : found.get(0).getTextContent();
  }

  /** What it has in common with the same change elsewhere in its method. */
  String kind() {
    return className + "." + method + " " + change;
  }

  String where() {
    return className + "." + method + ":" + line + " " + change;
  }
}
