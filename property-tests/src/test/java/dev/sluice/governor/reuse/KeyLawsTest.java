package dev.sluice.governor.reuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.sluice.governor.reuse.Drawn.Ask;
import dev.sluice.governor.reuse.Drawn.Field;
import dev.sluice.governor.reuse.Drawn.Shop;
import dev.sluice.governor.reuse.Selection.Keyed;
import dev.sluice.governor.reuse.SharedRequest.Validators;
import dev.sluice.http.Authority;
import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import dev.sluice.http.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

class KeyLawsTest {

  private static final Pattern LIMITED_BOTS =
      Pattern.compile(
          "[\\w-]+-Google|Google-[\\w-]+|Chrome-Lighthouse|Slurp|DuckDuckBot|baiduspider|yandex"
              + "|sogou|bitlybot|tumblr|vkShare|quora link preview|redditbot|ia_archiver|Bingbot"
              + "|BingPreview|applebot|facebookexternalhit|facebookcatalog|Twitterbot|LinkedInBot"
              + "|Slackbot|Discordbot|WhatsApp|SkypeUriPreview|Yeti|googleweblight",
          Pattern.CASE_INSENSITIVE);

  @Provide
  Arbitrary<Ask> asks() {
    return Drawn.asks();
  }

  @Provide
  Arbitrary<Shop> shops() {
    return Drawn.shops();
  }

  @Provide
  Arbitrary<String> components() {
    return Arbitraries.strings()
        .withChars('\0', '\1', ':', '+', '-', '/', 'a', '\u00ff', '\u20ac', '\ud83c')
        .ofMaxLength(5);
  }

  /** KEY-23: components of any characters read back as they were written. */
  @Property
  void components_readBack_asTheyWereWritten(
      @ForAll("components") String host,
      @ForAll("components") String path,
      @ForAll("components") String query,
      @ForAll("components") String value) {
    KeyWriter out = new KeyWriter();
    out.begin();
    for (int octet : new int[] {KeyParts.VERSION, KeyParts.BUILT, KeyParts.HTTP, KeyParts.GET}) {
      out.octet(octet);
    }
    out.text(host);
    out.end();
    out.text(path);
    out.end();
    out.octet(KeyParts.QUERY);
    out.text(query);
    out.end();
    out.field(KeyPlan.ACCEPT, value);

    KeyParts parts = KeyParts.of(out.key());
    assertThat(List.of(parts.host(), parts.path(), String.valueOf(parts.query())))
        .containsExactly(host, path, query);
    assertThat(parts.fields()).isEqualTo(java.util.Map.of("accept", Optional.of(value)));
  }

  /** KEY-23: two different splits of the same letters are two keys. */
  @Property
  void hostAndPath_neverRunTogether(
      @ForAll("components") String letters,
      @ForAll("components") String more,
      @ForAll("shops") Shop shop) {
    Optional<Keyed> one = shop.keyed(raw("a" + letters, "/" + more), "http");
    Optional<Keyed> other = shop.keyed(raw("a", letters + "/" + more), "http");
    if (one.isPresent() && other.isPresent() && !letters.isEmpty()) {
      assertThat(one.get().key()).isNotEqualTo(other.get().key());
    }
  }

  /** A head that no parser would let through. */
  private static RequestHead raw(String host, String target) {
    Ask ask = new Ask("http", host, "/", List.of(), List.of());
    return new RequestHead(
        "GET",
        new Target(target, "/", "", false, false),
        host,
        1,
        ask.head().headers(),
        ask.head().framing());
  }

  /** KEY-01: equal keys if and only if equal structures, worked out here by simpler means. */
  @Property(tries = 3000)
  void keys_areEqual_exactlyWhereTheirStructuresAre(
      @ForAll("shops") Shop shop, @ForAll("asks") Ask one, @ForAll("asks") Ask other) {
    Optional<Keyed> first = shop.keyed(one);
    Optional<Keyed> second = shop.keyed(other);
    if (first.isEmpty() || second.isEmpty()) {
      return;
    }
    boolean same = KeyParts.of(first.get().key()).equals(KeyParts.of(second.get().key()));
    assertThat(first.get().key().equals(second.get().key())).isEqualTo(same);
    if (same) {
      assertThat(host(one)).isEqualTo(host(other));
      assertThat(one.scheme()).isEqualTo(other.scheme());
      assertThat(one.path()).isEqualTo(other.path());
    }
  }

  private static String host(Ask ask) {
    Authority authority = Authority.parse(ask.host());
    return ((Authority.Valid) authority).normalized(ask.scheme().equals("https") ? 443 : 80);
  }

  /** C13: the key's spelling of a host is the one of routing. */
  @Property
  void host_isNormalized_asEverywhereElse(@ForAll("shops") Shop shop, @ForAll("asks") Ask ask) {
    shop.keyed(ask)
        .ifPresent(keyed -> assertThat(KeyParts.of(keyed.key()).host()).isEqualTo(host(ask)));
  }

  /** What must not matter: order of distinct fields, case of names, order of unique parameters. */
  @Property(tries = 2000)
  void key_isStable_underWhatMustNotMatter(
      @ForAll("shops") Shop shop, @ForAll("asks") Ask ask, @ForAll Random random) {
    Optional<Keyed> key = shop.keyed(ask);
    RequestHead respelled = respelled(ask, random);
    assertThat(shop.keyed(respelled, ask.scheme()).map(Keyed::key)).isEqualTo(key.map(Keyed::key));
  }

  /** DEC-34: what two clients with one key make the origin see is the same, byte for byte. */
  @Property(tries = 3000)
  void equalKeys_askTheOrigin_byteForByteAlike(
      @ForAll("shops") Shop shop,
      @ForAll("asks") Ask one,
      @ForAll("asks") Ask drawn,
      @ForAll Random random) {
    boolean related = random.nextInt(4) != 0;
    RequestHead other = related ? respelled(one, random) : drawn.head();
    Optional<Keyed> first = shop.keyed(one);
    Optional<Keyed> second = shop.keyed(other, related ? one.scheme() : drawn.scheme());
    boolean equal =
        first.isPresent() && second.isPresent() && first.get().key().equals(second.get().key());
    Statistics.label("equal keys").collect(equal);
    if (equal) {
      assertThat(bytes(SharedRequest.ofLead(first.get(), Validators.NONE)))
          .isEqualTo(bytes(SharedRequest.ofLead(second.get(), Validators.NONE)))
          .isEqualTo(bytes(SharedRequest.ofRefresh(second.get().key(), Validators.NONE)));
    }
  }

  /** What the origin is asked has, asked by a client, the same key: nothing was lost or added. */
  @Property(tries = 2000)
  void builtRequest_hasTheKeyThatItWasBuiltFrom(
      @ForAll("shops") Shop shop, @ForAll("asks") Ask ask) {
    shop.keyed(ask)
        .ifPresent(
            keyed -> {
              RequestHead built = SharedRequest.ofLead(keyed, Validators.NONE);
              KeyParts parts = KeyParts.of(keyed.key());
              // Our own User-Agent is in the key where that is learned; the client's was absent.
              assumeThat(parts.secondLevel().get("user-agent")).isNotEqualTo(Optional.empty());
              assertThat(shop.keyed(built, ask.scheme()).map(Keyed::key)).contains(keyed.key());
            });
  }

  /** Rarely a new order of the fields that differ in name, always other letters of their names. */
  private static RequestHead respelled(Ask ask, Random random) {
    List<Field> fields = new ArrayList<>();
    for (Field field : ask.fields()) {
      Field respelled =
          new Field(
              random.nextBoolean()
                  ? field.name().toUpperCase(Locale.ROOT)
                  : field.name().toLowerCase(Locale.ROOT),
              field.value());
      int at = fields.size();
      while (at > 0
          && random.nextBoolean()
          && !fields.get(at - 1).name().equalsIgnoreCase(field.name())) {
        at--;
      }
      fields.add(at, respelled);
    }
    fields.add(random.nextInt(fields.size() + 1), new Field("x-noise", "" + random.nextInt()));
    fields.add(new Field("Cache-Control", "no-cache"));
    List<String> pairs = new ArrayList<>(ask.pairs());
    boolean plain = pairs.stream().noneMatch(pair -> pair.matches(".*[%\\[;].*"));
    if (plain
        && pairs.stream().map(pair -> pair.split("=", 2)[0]).distinct().count() == pairs.size()) {
      java.util.Collections.shuffle(pairs, random);
    }
    return ask.head(pairs, fields, ask.host().toUpperCase(Locale.ROOT));
  }

  private static String bytes(RequestHead head) {
    var text = new StringBuilder();
    text.append(head.method()).append(' ').append(head.target().raw()).append(" HTTP/1.");
    text.append(head.minorVersion()).append('\n').append(head.authority()).append('\n');
    Headers headers = head.headers();
    for (int i = 0; i < headers.size(); i++) {
      text.append(headers.name(i)).append(": ").append(headers.value(i)).append('\n');
    }
    return text.toString();
  }

  /** The list of crawlers is read as the framework's own expression reads it. */
  @Property(tries = 3000)
  void crawlers_areThose_thatTheFrameworkNames(@ForAll("agents") String agent) {
    assertThat(LimitedBots.isNamedIn(agent))
        .as(agent)
        .isEqualTo(LIMITED_BOTS.matcher(agent).find());
  }

  @Provide
  Arbitrary<String> agents() {
    return Arbitraries.of(
            "google",
            "Google",
            "-",
            "_",
            "bot",
            " ",
            "Ads",
            "Slurp",
            "slur",
            "YAHOO",
            "Bing",
            "bingbot",
            "preview",
            "quora link ",
            "yandex",
            "weblight",
            "/1.0",
            "(",
            "WhatsApp",
            "a",
            "Yeti",
            "Chrome-",
            "Lighthouse",
            "ia_archiver",
            "\u212a")
        .list()
        .ofMaxSize(6)
        .map(pieces -> String.join("", pieces));
  }
}
