package dev.sluice.admin;

import dev.sluice.admin.QueryParameters.Pair;
import dev.sluice.governor.LiveExplanation;
import dev.sluice.governor.Supposed;
import dev.sluice.net.PlainHttpListener;
import dev.sluice.net.PlainHttpListener.Reply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * {@code GET /explain?target=/p&header=RSC:%201}: what the running proxy would make of a request,
 * and of an answer to it (BEY-07). It tells what it was told and what the proxy knows, and changes
 * nothing, so like the other pages that only tell it asks for no token. Thread-safe.
 */
public final class ExplainPage {

  private static final String TARGET = "target";
  private static final String METHOD = "method";
  private static final String SCHEME = "scheme";
  private static final String STATUS = "status";
  private static final String HEADER = "header";
  private static final String RESPONSE_HEADER = "response_header";
  private static final Set<String> ONCE = Set.of(TARGET, METHOD, SCHEME, STATUS);

  private final Function<Supposed.Case, List<String>> explanation;

  public ExplainPage(LiveExplanation explanation) {
    this(explanation::of);
  }

  ExplainPage(Function<Supposed.Case, List<String>> explanation) {
    this.explanation = explanation;
  }

  Reply answer(String query) {
    QueryParameters read = QueryParameters.read(query);
    if (read.wrong() != null) {
      return wrong(read.wrong());
    }
    Map<String, String> once = new HashMap<>();
    List<String> headers = new ArrayList<>();
    List<String> answerHeaders = new ArrayList<>();
    for (Pair pair : read.pairs()) {
      switch (pair.name()) {
        case HEADER -> headers.add(pair.value());
        case RESPONSE_HEADER -> answerHeaders.add(pair.value());
        default -> {
          if (!ONCE.contains(pair.name())) {
            return wrong("a parameter is unknown (expected: " + words() + ")");
          }
          if (once.put(pair.name(), pair.value()) != null) {
            return wrong(pair.name() + " is given twice");
          }
        }
      }
    }
    return answer(once, headers, answerHeaders);
  }

  private Reply answer(Map<String, String> once, List<String> headers, List<String> answerHeaders) {
    var words =
        new Supposed.Words(
            once.getOrDefault(TARGET, ""),
            once.getOrDefault(METHOD, Supposed.Words.METHOD),
            once.getOrDefault(SCHEME, Supposed.Words.SCHEME),
            headers,
            once.get(STATUS),
            answerHeaders);
    Supposed supposed = words.read();
    if (supposed instanceof Supposed.Wrong wrong) {
      return wrong(
          wrong.word().name().toLowerCase(Locale.ROOT)
              + " is none (expected: "
              + wrong.expected()
              + ")");
    }
    List<String> lines =
        supposed instanceof Supposed.Refused refused
            ? refused.lines()
            : explanation.apply((Supposed.Case) supposed);
    return PlainHttpListener.plain(200, String.join("\n", lines) + "\n");
  }

  private static Reply wrong(String why) {
    return PlainHttpListener.plain(400, "Nothing is explained: " + why + ".\n");
  }

  private static String words() {
    return String.join(", ", TARGET, METHOD, SCHEME, HEADER, STATUS, RESPONSE_HEADER);
  }
}
