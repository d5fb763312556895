package dev.sluice.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.sluice.admin.PurgeCommand.Purge;
import dev.sluice.governor.Purger;
import dev.sluice.governor.Purger.Purged;
import dev.sluice.net.PlainHttpListener;
import dev.sluice.net.PlainHttpListener.Question;
import dev.sluice.net.PlainHttpListener.Reply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /purge}, for who knows the token (CCH-20 to CCH-28). Without a token there is no such
 * page. Thread-safe.
 */
public final class PurgePage {

  private static final Logger log = LoggerFactory.getLogger(PurgePage.class);
  private static final JsonFactory JSON = new JsonFactory();
  private static final String SCHEME = "Bearer ";

  private final Supplier<String> token;
  private final Function<Purge, Purged> purger;

  /**
   * @param token the one in force, which a reload may change; empty = there is no page
   */
  public PurgePage(Supplier<String> token, Purger purger) {
    this(token, purge -> purged(purger, purge));
  }

  PurgePage(Supplier<String> token, Function<Purge, Purged> purger) {
    this.token = token;
    this.purger = purger;
  }

  private static Purged purged(Purger purger, Purge purge) {
    return switch (purge.selector()) {
      case TAG -> purger.tag(purge.value(), purge.soft());
      case PATH -> purger.path(purge.value(), purge.soft());
      case PREFIX -> purger.prefix(purge.value(), purge.soft());
    };
  }

  boolean exists() {
    return !token.get().isEmpty();
  }

  Reply answer(Question question) {
    if (!question.method().equals("POST")) {
      return PlainHttpListener.notAllowed("POST");
    }
    if (!isAuthorized(question.fields().getOrDefault("authorization", List.of()))) {
      return PlainHttpListener.plain(
          401, "The token is missing or wrong.\n", Map.of("www-authenticate", "Bearer"));
    }
    PurgeCommand command = PurgeCommand.of(question.query());
    if (command instanceof PurgeCommand.Wrong wrong) {
      return PlainHttpListener.plain(400, "Nothing is purged: " + wrong.why() + ".\n");
    }
    return done((Purge) command);
  }

  /** RFC 6750 2.1; how long the comparison takes tells nothing of how much was right. */
  private boolean isAuthorized(List<String> lines) {
    if (lines.size() != 1 || !lines.get(0).regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return false;
    }
    byte[] given = lines.get(0).substring(SCHEME.length()).strip().getBytes(StandardCharsets.UTF_8);
    String expected = token.get();
    return !expected.isEmpty()
        && MessageDigest.isEqual(given, expected.getBytes(StandardCharsets.UTF_8));
  }

  private Reply done(Purge purge) {
    Purged purged = purger.apply(purge);
    log.info(
        "purge {} of {} {}: {} entries, {} flights",
        purged.number(),
        purge.word(),
        purge.value(),
        purged.entries(),
        purged.flights());
    return new Reply(200, "application/json", json(purged));
  }

  private static byte[] json(Purged purged) {
    var out = new ByteArrayOutputStream(64);
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      json.writeNumberField("entries", purged.entries());
      json.writeNumberField("flights", purged.flights());
      json.writeNumberField("number", purged.number());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
