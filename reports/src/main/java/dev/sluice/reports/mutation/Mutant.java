package dev.sluice.reports.mutation;

import dev.sluice.reports.Xml;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/**
 * One change that PIT made to the code, and what the tests said to it. Immutable.
 *
 * @param className simple, without that of nested classes
 * @param method for a lambda expression the method that it is in
 * @param change in PIT's words, without the packages of classes; where the method has the same
 *     change at several places, which of them it is
 * @param noticed whether a test failed, or did not end, with it
 * @param covered whether a test ran the changed line
 */
record Mutant(
    String className, String method, String line, String change, boolean noticed, boolean covered) {

  private static final Pattern LAMBDA = Pattern.compile("lambda\\$(\\w+)\\$\\d+");
  private static final Pattern PACKAGE = Pattern.compile("\\b(?:[a-z]\\w*/)+");

  /**
   * By line, and on one line by instruction: both only give an order, since any edit moves them.
   */
  private static final Comparator<Element> AS_WRITTEN =
      Comparator.<Element>comparingInt(mutation -> number(mutation, "lineNumber"))
          .thenComparingInt(mutation -> number(mutation, "index"))
          .thenComparing(mutation -> text(mutation, "mutatedMethod"));

  /** All of one run, from its {@code mutations.xml}; no two have one name. */
  static List<Mutant> in(Path file) throws IOException {
    Map<String, List<Mutant>> alike =
        Xml.elements(file, "mutation").stream()
            .sorted(AS_WRITTEN)
            .map(Mutant::of)
            .collect(Collectors.groupingBy(Mutant::name, LinkedHashMap::new, Collectors.toList()));
    return alike.values().stream().flatMap(Mutant::toldApart).toList();
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
    String plain = LAMBDA.matcher(PACKAGE.matcher(description).replaceAll("")).replaceAll("$1");
    return "`" + plain + "`";
  }

  private static Stream<Mutant> toldApart(List<Mutant> alike) {
    int all = alike.size();
    return all == 1
        ? alike.stream()
        : IntStream.range(0, all).mapToObj(i -> alike.get(i).numbered(i + 1, all));
  }

  private Mutant numbered(int number, int all) {
    String which = "no. " + number + " of " + all + " " + change;
    return new Mutant(className, method, line, which, noticed, covered);
  }

  private static int number(Element mutation, String name) {
    return Integer.parseInt(text(mutation, name));
  }

  private static String text(Element mutation, String name) {
    List<Element> found = Xml.elements(mutation, name);
    return found.isEmpty() ? "" : found.get(0).getTextContent();
  }

  /** As {@code docs/mutation-survivors.md} names it. */
  String name() {
    return className + "." + method + " " + change;
  }

  String where() {
    return className + "." + method + ":" + line + " " + change;
  }
}
