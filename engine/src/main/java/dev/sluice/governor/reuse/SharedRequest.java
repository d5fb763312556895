package dev.sluice.governor.reuse;

import dev.sluice.governor.reuse.KeyPlan.Variant;
import dev.sluice.governor.reuse.Selection.Keyed;
import dev.sluice.governor.reuse.cache.CacheKey;
import dev.sluice.http.FieldList;
import dev.sluice.http.FieldName;
import dev.sluice.http.Framing;
import dev.sluice.http.Headers;
import dev.sluice.http.NameSet;
import dev.sluice.http.RequestHead;
import dev.sluice.http.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a flight that may be shared asks the origin (DEC-34). It is made of the key alone, so equal
 * keys ask byte for byte alike, and what is not in the key cannot poison an answer. Stateless; not
 * for the path of a hit.
 */
public final class SharedRequest {

  /** In place of what a client says that it is, where the key does not have that. */
  static final String USER_AGENT = "Mozilla/5.0 (compatible; Sluice)";

  /** One that the framework's own list of crawlers matches. */
  static final String LIMITED_BOT = "Mozilla/5.0 (compatible; Sluice, as Bingbot)";

  /**
   * What a whole request leaves behind: judged here, or not the origin's to decide (DEC-17).
   * Cookies are written anew, those that count (DEC-08).
   */
  private static final long NOT_SENT =
      FieldName.setOf(
          FieldName.IF_NONE_MATCH,
          FieldName.IF_MODIFIED_SINCE,
          FieldName.CACHE_CONTROL,
          FieldName.COOKIE,
          FieldName.PRAGMA);

  /**
   * What some origins take for another target, scheme or method than was asked (field case C14).
   */
  private static final NameSet REDIRECTING =
      NameSet.of(
          List.of(
              "x-forwarded-port",
              "x-forwarded-prefix",
              "x-forwarded-scheme",
              "x-forwarded-server",
              "x-forwarded-ssl",
              "x-http-method",
              "x-http-method-override",
              "x-method-override",
              "x-original-url",
              "x-rewrite-url"),
          List.of());

  private SharedRequest() {}

  /**
   * What to ask about an answer that is stored already.
   *
   * @param etag its entity tag, as the origin wrote it
   * @param lastModified its Last-Modified, as the origin wrote it
   */
  public record Validators(@Nullable String etag, @Nullable String lastModified) {

    /** Nothing is stored: ask for the answer itself. */
    public static final Validators NONE = new Validators(null, null);
  }

  /** The request of a flight that {@code lead} begins. */
  public static RequestHead ofLead(Keyed lead, Validators validators) {
    String cookies =
        KeyPlan.showsCookies(lead.route())
            ? new CookieRule(lead.route().share().cookies()).counted(lead.head().headers())
            : null;
    return lead.isWhole()
        ? whole(lead.head(), validators, cookies)
        : built(KeyParts.of(lead.key()), validators, cookies);
  }

  /** The request of a flight that no client leads: a refresh (DEC-40). */
  public static RequestHead ofRefresh(CacheKey key, Validators validators) {
    return built(KeyParts.of(key), validators, null);
  }

  /** The scheme in the key, which a refresh tells the origin. */
  public static String scheme(CacheKey key) {
    return KeyParts.of(key).scheme();
  }

  private static RequestHead whole(
      RequestHead head, Validators validators, @Nullable String cookies) {
    Headers headers = head.headers();
    var lines = new ArrayList<String>();
    for (int i = 0; i < headers.size(); i++) {
      FieldName name = headers.known(i);
      boolean stays =
          name == null ? REDIRECTING.contains(headers.name(i)) : (NOT_SENT & name.bit()) != 0;
      if (!stays) {
        add(lines, headers.name(i), headers.value(i));
      }
    }
    add(lines, validators);
    addCookies(lines, cookies);
    return new RequestHead(
        head.method(),
        head.target(),
        head.authority(),
        head.minorVersion(),
        FieldList.of(lines.toArray(String[]::new)),
        head.framing());
  }

  private static RequestHead built(
      KeyParts parts, Validators validators, @Nullable String cookies) {
    var lines = new ArrayList<String>();
    add(lines, FieldName.HOST, parts.host());
    addFields(lines, parts.fields());
    addFields(lines, parts.secondLevel());
    if (!isSent(parts, FieldName.ACCEPT_ENCODING)) {
      String coding = parts.coding();
      add(lines, FieldName.ACCEPT_ENCODING, coding == null ? KeyParts.IDENTITY : coding);
    }
    if (!isSent(parts, FieldName.USER_AGENT)) {
      add(lines, FieldName.USER_AGENT, parts.limitedBot() ? LIMITED_BOT : USER_AGENT);
    }
    add(lines, validators);
    addCookies(lines, cookies);
    FieldList fields = FieldList.of(lines.toArray(String[]::new));
    return new RequestHead(
        "GET",
        Target.ofOriginForm(target(parts, fields)),
        parts.host(),
        1,
        fields,
        Framing.None.INSTANCE);
  }

  /** {@code _rsc} comes last, as the framework's client writes it, and fits what is sent. */
  private static String target(KeyParts parts, Headers sent) {
    String query = parts.query();
    String target = parts.path() + (query == null ? "" : "?" + query);
    if (parts.variant() == Variant.NONE || !sent.has(FieldName.RSC)) {
      return target;
    }
    String digest = new RscParameter().of(sent);
    return target
        + (query == null ? "?" : "&")
        + QueryPairs.RSC
        + (digest.isEmpty() ? "" : "=" + digest);
  }

  private static boolean isSent(KeyParts parts, FieldName name) {
    return isSent(parts.fields(), name) || isSent(parts.secondLevel(), name);
  }

  private static boolean isSent(Map<String, Optional<String>> fields, FieldName name) {
    Optional<String> value = fields.get(name.lower());
    return value != null && value.isPresent();
  }

  private static void addFields(List<String> lines, Map<String, Optional<String>> fields) {
    fields.forEach(
        (name, value) -> {
          if (value.isPresent()) {
            FieldName known = FieldName.find(name);
            add(lines, known == null ? name : known.text(), value.get());
          }
        });
  }

  private static void add(List<String> lines, Validators validators) {
    if (validators.etag() != null) {
      add(lines, FieldName.IF_NONE_MATCH, validators.etag());
    }
    if (validators.lastModified() != null) {
      add(lines, FieldName.IF_MODIFIED_SINCE, validators.lastModified());
    }
  }

  private static void addCookies(List<String> lines, @Nullable String cookies) {
    if (cookies != null) {
      add(lines, FieldName.COOKIE, cookies);
    }
  }

  private static void add(List<String> lines, FieldName name, String value) {
    add(lines, name.text(), value);
  }

  private static void add(List<String> lines, String name, String value) {
    lines.add(name);
    lines.add(value);
  }
}
