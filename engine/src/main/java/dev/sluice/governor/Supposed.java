package dev.sluice.governor;

import dev.sluice.governor.classify.Explanation;
import dev.sluice.http.FieldList;
import dev.sluice.http.FieldName;
import dev.sluice.http.Framing;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.StatusPhrase;
import dev.sluice.outcome.Cause;
import dev.sluice.wire.HeadText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request that somebody asks about, perhaps with an answer to it; or none. Immutable. */
public sealed interface Supposed {

  /** Which of the words is none. */
  enum Word {
    TARGET,
    METHOD,
    SCHEME,
    HEADER,
    STATUS,
    RESPONSE_HEADER
  }

  /**
   * One that can be explained.
   *
   * @param answer null where only the request is asked about
   */
  record Case(RequestHead request, String scheme, @Nullable ResponseHead answer)
      implements Supposed {}

  /** One that is refused at its head, before anybody asks what it is. */
  record Refused(Cause cause) implements Supposed {

    /** What is to be said of it. */
    public List<String> lines() {
      return Explanation.ofRefusal(cause);
    }
  }

  /** A word that is none, with what it was to be. */
  record Wrong(Word word, String given, String expected) implements Supposed {}

  /**
   * The words of whoever asks.
   *
   * @param headers fields of the request, each {@code NAME: VALUE}
   * @param status of the answer; null = 200 where it has fields, else there is no answer
   * @param answerHeaders fields of the answer
   */
  record Words(
      String target,
      String method,
      String scheme,
      List<String> headers,
      @Nullable String status,
      List<String> answerHeaders) {

    public static final String METHOD = "GET";
    public static final String SCHEME = "http";

    /** What they mean. */
    public Supposed read() {
      Wrong wrong = wrong();
      if (wrong != null) {
        return wrong;
      }
      var lines = new ArrayList<String>();
      if (!fields(headers).has(FieldName.HOST)) {
        lines.add("Host: localhost");
      }
      lines.addAll(headers);
      HeadText head = HeadText.of(method + " " + target + " HTTP/1.1", lines);
      return head instanceof HeadText.Read read
          ? new Case(read.head(), scheme, answer())
          : new Refused(((HeadText.Refused) head).cause());
    }

    private @Nullable Wrong wrong() {
      if (!target.startsWith("/") || hasControlOrSpace(target)) {
        return new Wrong(Word.TARGET, target, "a path, /…");
      }
      if (method.isEmpty() || hasControlOrSpace(method)) {
        return new Wrong(Word.METHOD, method, "GET, POST and so on");
      }
      if (!scheme.equals("http") && !scheme.equals("https")) {
        return new Wrong(Word.SCHEME, scheme, "http or https");
      }
      if (status != null && !status.matches("[2-9][0-9]{2}")) {
        return new Wrong(Word.STATUS, status, "200 to 999");
      }
      Wrong header = wrong(Word.HEADER, headers);
      return header == null ? wrong(Word.RESPONSE_HEADER, answerHeaders) : header;
    }

    private static @Nullable Wrong wrong(Word word, List<String> headers) {
      for (String header : headers) {
        int colon = header.indexOf(':');
        boolean named = colon > 0 && !hasControlOrSpace(header.substring(0, colon));
        if (!named || header.chars().anyMatch(Words::isControl)) {
          return new Wrong(word, header, "NAME: VALUE");
        }
      }
      return null;
    }

    private @Nullable ResponseHead answer() {
      if (status == null && answerHeaders.isEmpty()) {
        return null;
      }
      int code = status == null ? 200 : Integer.parseInt(status);
      FieldList fields = fields(answerHeaders);
      String length = fields.first(FieldName.CONTENT_LENGTH);
      Framing framing =
          length != null && length.matches("[0-9]{1,18}")
              ? new Framing.Length(Long.parseLong(length))
              : Framing.Chunked.INSTANCE;
      return new ResponseHead(code, StatusPhrase.of(code), fields, framing);
    }

    private static FieldList fields(List<String> headers) {
      var lines = new ArrayList<String>();
      for (String header : headers) {
        int colon = header.indexOf(':');
        lines.add(header.substring(0, colon));
        lines.add(header.substring(colon + 1).strip());
      }
      return FieldList.of(lines.toArray(String[]::new));
    }

    private static boolean hasControlOrSpace(String text) {
      return text.chars().anyMatch(c -> c == ' ' || isControl(c));
    }

    private static boolean isControl(int c) {
      return (c < ' ' && c != '\t') || c == 0x7f;
    }
  }
}
