package dev.sluice.governor.deliver;

import dev.sluice.governor.classify.Audience;
import dev.sluice.http.StatusPhrase;
import dev.sluice.outcome.Cause;
import java.nio.charset.StandardCharsets;

/**
 * The bodies of our own answers but for the busy page. They are made of our words alone: nothing of
 * the request is echoed, so nothing has to be escaped. Stateless.
 */
final class ErrorBody {

  /** What a body may weigh at most, in bytes (DEC-46). */
  static final int MAX = 2048;

  private static final String PAGE =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>{{status}} {{phrase}}</title>
      <style>
      body { min-height: 90vh; display: grid; place-content: center; padding: 1.5rem; text-align: center;
        font: 1.0625rem/1.6 system-ui, sans-serif }
      h1 { font-size: 1.625rem; margin: 0 }
      p { margin: .5rem 0 0; opacity: .75 }
      </style>
      </head>
      <body><main><h1>{{phrase}}</h1><p>{{sentence}}</p><p>{{status}}</p></main></body>
      </html>
      """;

  private ErrorBody() {}

  static String type(Audience audience) {
    return switch (audience) {
      case NAVIGATION -> "text/html; charset=utf-8";
      case JSON -> "application/problem+json";
      case PREFETCH, PLAIN -> "text/plain; charset=utf-8";
    };
  }

  static byte[] of(Audience audience, int status, Cause cause) {
    String phrase = StatusPhrase.of(status);
    String text =
        switch (audience) {
          case NAVIGATION -> page(status, phrase, cause);
          case JSON -> problem(status, phrase, cause);
          case PREFETCH, PLAIN -> status + " " + phrase + "\n" + cause.sentence() + "\n";
        };
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String page(int status, String phrase, Cause cause) {
    return PAGE.replace("{{status}}", Integer.toString(status))
        .replace("{{phrase}}", phrase)
        .replace("{{sentence}}", cause.sentence());
  }

  /** RFC 9457 3, with the cause as an extension member; about:blank says: as the status says. */
  private static String problem(int status, String phrase, Cause cause) {
    return "{\"type\":\"about:blank\",\"title\":\""
        + phrase
        + "\",\"status\":"
        + status
        + ",\"detail\":\""
        + cause.sentence()
        + "\",\"cause\":\""
        + cause.code()
        + "\"}";
  }
}
