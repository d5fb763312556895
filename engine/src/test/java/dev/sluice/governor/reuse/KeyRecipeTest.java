package dev.sluice.governor.reuse;

import static dev.sluice.governor.reuse.Asking.ALL;
import static dev.sluice.governor.reuse.Asking.get;
import static dev.sluice.governor.reuse.Asking.head;
import static dev.sluice.governor.reuse.Asking.query;
import static dev.sluice.governor.reuse.Asking.shop;
import static dev.sluice.governor.reuse.Asking.vary;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.Framework;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.SharePolicy;
import dev.sluice.governor.classify.SharePolicy.CookiePolicy;
import dev.sluice.governor.classify.SharePolicy.QueryMode;
import dev.sluice.governor.reuse.cache.CacheKey;
import dev.sluice.http.RequestHead;
import dev.sluice.http.Target;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows of the key, by their ids in comments. */
class KeyRecipeTest {

  private static final String RSC_PLAIN = "/p?_rsc";

  private final Asking shop = shop(ALL);
  private final Asking files = shop(RouteClass.STATIC, ALL, CookiePolicy.PRIVATE, Framework.NEXTJS);

  private CacheKey key(String target, String... fields) {
    return shop.keyed(target, fields).key();
  }

  private CacheKey hostKey(String host, String scheme) {
    return shop.keyed(head("GET", host, "/"), scheme).key();
  }

  // KEY-01, KEY-02 as DEC-22 has them: compared over its bytes, and they read back as a structure.
  @Test
  void key_isAStructure_thatItsBytesStandFor() {
    Asking asked =
        shop(RouteClass.PUBLIC_SSR, share(vary("accept-language")), Framework.NEXTJS, "7");
    KeyParts parts =
        KeyParts.of(
            asked
                .keyed(
                    get("/%61?b=2&a=1&_rsc", "rsc", "1", "Accept-Encoding", "br, GZIP;q=0.5"),
                    "https")
                .key());

    assertThat(parts.whole()).isFalse();
    assertThat(parts.scheme()).isEqualTo("https");
    assertThat(parts.host()).isEqualTo("shop.example");
    assertThat(parts.path()).isEqualTo("/%61");
    assertThat(parts.query()).isEqualTo("a=1&b=2");
    assertThat(parts.deploymentId()).isEqualTo("7");
    assertThat(parts.variant()).isEqualTo(KeyPlan.Variant.DYNAMIC);
    assertThat(parts.limitedBot()).isFalse();
    assertThat(parts.coding()).isEqualTo("gzip");
    assertThat(parts.fields())
        .containsOnlyKeys("rsc", "accept-language")
        .containsEntry("rsc", Optional.of("1"))
        .containsEntry("accept-language", Optional.empty());
    assertThat(parts.secondLevel()).isEmpty();
  }

  @Test
  void equalStructures_areEqualKeys_withEqualHashes() {
    assertThat(key("/a?x=1")).isEqualTo(key("/a?x=1")).hasSameHashCodeAs(key("/a?x=1"));
  }

  // KEY-03
  @Test
  void scheme_isInTheKey() {
    assertThat(hostKey("a.example", "http")).isNotEqualTo(hostKey("a.example", "https"));
  }

  // KEY-04, KEY-05
  @ParameterizedTest
  @ValueSource(strings = {"foo", "HTTPS", "https ", "", "ftp"})
  void schemeThatIsNone_isHttp(String invented) {
    assertThat(hostKey("a.example", invented)).isEqualTo(hostKey("a.example", "http"));
  }

  // KEY-05: what a client says of its scheme is not looked at.
  @Test
  void forwardedFields_areNotInTheKey() {
    assertThat(key("/", "X-Forwarded-Proto", "foo", "Forwarded", "proto=bar")).isEqualTo(key("/"));
  }

  // KEY-06, C13
  @Test
  void host_isInTheKey() {
    assertThat(hostKey("a.example", "http")).isNotEqualTo(hostKey("b.example", "http"));
    assertThat(hostKey("a.example:81", "http")).isNotEqualTo(hostKey("a.example", "http"));
    assertThat(hostKey("[::1]", "http")).isNotEqualTo(hostKey("[::2]", "http"));
  }

  // C13
  @ParameterizedTest
  @CsvSource({
    "A.EXAMPLE, http",
    "a.example., http",
    "a.example:80, http",
    "a.example:080, http",
    "a.example:, http",
    "A.example.:80, http"
  })
  void spellingsOfAHost_areOneKey(String host, String scheme) {
    assertThat(hostKey(host, scheme)).isEqualTo(hostKey("a.example", scheme));
  }

  // C13
  @Test
  void defaultPort_isTheSchemesOwn() {
    assertThat(hostKey("a.example:443", "https")).isEqualTo(hostKey("a.example", "https"));
    assertThat(hostKey("a.example:443", "http")).isNotEqualTo(hostKey("a.example", "http"));
    assertThat(hostKey("[::1]:443", "https")).isEqualTo(hostKey("[::1]", "https"));
  }

  // C13: of a port each digit counts, and leading zeros do not.
  @Test
  void ports_areApart() {
    List<String> hosts =
        List.of("a.example:8", "a.example:9", "a.example:88", "a.example:8080", "a.example:8081");

    assertThat(hosts.stream().map(host -> hostKey(host, "http"))).doesNotHaveDuplicates();
    assertThat(hosts.stream().map(host -> KeyParts.of(hostKey(host, "http")).host()))
        .containsExactlyElementsOf(hosts);
    assertThat(hostKey("a.example:008080", "http")).isEqualTo(hostKey("a.example:8080", "http"));
    assertThat(KeyParts.of(hostKey("[::1]:90", "http")).host()).isEqualTo("[::1]:90");
  }

  /** Octets above ASCII are written as two and read back as they were; NUL is no end of a part. */
  @Test
  void valueOfAnyOctets_readsBack() {
    Asking asked = shop(vary("accept-language"));
    for (String value :
        List.of("\u0001", "~\u007f", "\u0080", "\u00e9", "\u00ff\u00bf", "\u00c3\u00a9")) {
      assertThat(asked.parts("/", "Accept-Language", value).fields())
          .containsEntry("accept-language", Optional.of(value));
    }
    assertThat(asked.keyed("/", "Accept-Language", "\u00e9").key())
        .isNotEqualTo(asked.keyed("/", "Accept-Language", "\u00c3\u00a9").key());
  }

  // KEY-07: the one class of methods that may share is GET and, as its follower, HEAD.
  @Test
  void head_hasTheKeyOfGet() {
    Selection.Keyed asked = shop.keyed(head("HEAD", "shop.example", "/a"));

    assertThat(asked.key()).isEqualTo(key("/a"));
    assertThat(asked.isHead()).isTrue();
  }

  // KEY-08
  @Test
  void path_isInTheKey_rawAsSent() {
    assertThat(key("/a")).isNotEqualTo(key("/b"));
    assertThat(key("/%61")).isNotEqualTo(key("/a"));
  }

  // KEY-09
  @Test
  void query_isInTheKey() {
    assertThat(key("/?a=1")).isNotEqualTo(key("/?a=2")).isNotEqualTo(key("/"));
    assertThat(key("/?")).isNotEqualTo(key("/"));
  }

  // KEY-10, KEY-11, KEY-12
  @ParameterizedTest
  @CsvSource({
    "a=1&b=2, b=2&a=1, true",
    "a&b&c, c&a&b, true",
    "ab=1&a=2, a=2&ab=1, true",
    "a=2;3, a=2, false",
    "a=1&a=2, a=2&a=1, false",
    "a=1&b=2&a=3, b=2&a=1&a=3, false",
    "flag, flag=, false",
    "A=1, a=1, false",
    // Nothing is decoded, and what an origin could read as one name twice keeps its order.
    "a=%31, a=1, false",
    "%61=1&a=2, a=2&%61=1, false",
    "a[]=1&a[0]=2, a[0]=2&a[]=1, false",
    "a+b=1&a=2, a=2&a+b=1, false",
    "a=1;b=2&c=3, c=3&a=1;b=2, false",
    "a=1&, a=1, false",
    "&a=1, a=1&, true"
  })
  void queries_areOneKey_whereOrderHasNoMeaning(String one, String other, boolean same) {
    assertThat(key("/?" + one).equals(key("/?" + other))).isEqualTo(same);
  }

  @Test
  void queryOfManyPairs_isSorted_too() {
    var up = new StringBuilder("/?x=1");
    var down = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      up.append("&p").append(i).append('=').append(i);
      down.insert(0, "&p" + i + "=" + i);
    }
    assertThat(key(up.toString())).isEqualTo(key("/?x=1" + down));
    assertThat(key(up + "&x=2")).isNotEqualTo(key("/?x=2" + down + "&x=1"));
  }

  // KEY-13
  @Test
  void includeMode_takesTheListedPairs() {
    Asking images = shop(query(QueryMode.INCLUDE, "url", "w", "q"));

    assertThat(images.parts("/i?w=1&x=1&url=%2Fa").query()).isEqualTo("url=%2Fa&w=1");
    assertThat(images.keyed("/i?w=1&x=1").key()).isEqualTo(images.keyed("/i?w=1").key());
    assertThat(images.keyed("/i?w=1").key()).isNotEqualTo(images.keyed("/i?w=2").key());
    assertThat(images.keyed("/i?x=1").key()).isEqualTo(images.keyed("/i").key());
    assertThat(images.keyed("/i?").key()).isEqualTo(images.keyed("/i").key());
  }

  // KEY-13
  @Test
  void excludeMode_leavesTheListedPairsOut() {
    Asking pages = shop(query(QueryMode.EXCLUDE, "utm_source"));

    assertThat(pages.parts("/p?utm_source=x&b&a").query()).isEqualTo("a&b");
    assertThat(pages.keyed("/p?utm_source=x").key()).isEqualTo(pages.keyed("/p").key());
    assertThat(pages.parts("/p?utm_source2=x").query()).isEqualTo("utm_source2=x");
  }

  // KEY-13
  @Test
  void noneMode_leavesAllOut() {
    Asking pages = shop(query(QueryMode.NONE));

    assertThat(pages.keyed("/p?a=1&b").key()).isEqualTo(pages.keyed("/p").key());
  }

  // KEY-14 as DEC-22 has it, C10: one coding, whatever the spelling.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip, br | gzip",
        "br, gzip | gzip",
        "gzip;q=1.0 | gzip",
        "GZIP ; Q=0.001 | gzip",
        "* | gzip",
        "br | identity",
        "gzip;q=0 | identity",
        "gzip;q=0, * | identity",
        "gzip;q=0.000 | identity",
        "gzip;q=x | identity",
        "gzipped | identity",
        "'' | identity",
        "identity | identity",
        "*;q=0, identity | identity",
        "*;q=0, identity, gzip | gzip"
      })
  void acceptEncoding_isOneCodingInTheKey(String sent, String coding) {
    assertThat(shop.parts("/", "Accept-Encoding", sent).coding()).isEqualTo(coding);
  }

  // KEY-14: of several, in the file's order whatever the client's.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "br, gzip | br",
        "gzip, br | br",
        "gzip | gzip",
        "br;q=0, * | gzip",
        "gzip;q=0, * | br",
        "deflate | identity"
      })
  void acceptEncoding_ofSeveral_isTheFirstOfOurs(String sent, String coding) {
    Asking several =
        shop(
            RouteClass.PUBLIC_SSR,
            share(ALL),
            Framework.NEXTJS,
            Asking.settings(List.of("br", "gzip"), ""));

    assertThat(several.parts("/", "Accept-Encoding", sent).coding()).isEqualTo(coding);
  }

  @Test
  void acceptEncoding_absent_isIdentity() {
    assertThat(shop.parts("/").coding()).isEqualTo("identity");
    assertThat(shop.parts("/", "accept-encoding", "br", "Accept-Encoding", "gzip").coding())
        .isEqualTo("gzip");
  }

  // KEY-15
  @Test
  void varyHeaders_areInTheKey_trimmedAndJoined() {
    Asking asked = shop(vary("accept"));

    assertThat(asked.keyed("/", "Accept", "image/webp").key())
        .isNotEqualTo(asked.keyed("/", "Accept", "image/png").key());
    assertThat(asked.keyed("/", "Accept", "a", "accept", "b").key())
        .isEqualTo(asked.keyed("/", "ACCEPT", "a, b").key());
    assertThat(asked.keyed("/", "Accept", "").key()).isNotEqualTo(asked.keyed("/").key());
  }

  @Test
  void fieldOutsideTheVocabulary_isInTheKey() {
    Asking asked = shop(vary("x-country"));

    assertThat(asked.parts("/", "X-Country", "de").fields())
        .containsEntry("x-country", Optional.of("de"));
    assertThat(asked.parts("/", "X-Country2", "de").fields())
        .containsEntry("x-country", Optional.empty());
  }

  // KEY-16, N01: what counts is what the origin takes for a payload, RSC: 1 and nothing else.
  @Test
  void rsc_isInTheKey_alsoWhenAbsent() {
    assertThat(key(RSC_PLAIN, "RSC", "1")).isNotEqualTo(key("/p"));
    assertThat(key("/p", "RSC", "0")).isEqualTo(key("/p"));
    assertThat(key("/p", "RSC", "1, 1")).isEqualTo(key("/p"));
    assertThat(KeyParts.of(key("/p")).covers("rsc")).isTrue();
  }

  // KEY-17 to KEY-20
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Next-Router-Prefetch",
        "Next-Router-State-Tree",
        "Next-Router-Segment-Prefetch",
        "Next-Url",
        "X-Nextjs-Data"
      })
  void selectors_areInTheKey_alsoWhenAbsent(String name) {
    assertThat(key("/p", name, "/a")).isNotEqualTo(key("/p")).isNotEqualTo(key("/p", name, "/b"));
    assertThat(KeyParts.of(key("/p")).covers(name.toLowerCase(Locale.ROOT))).isTrue();
  }

  // KEY-16 to KEY-20 where the framework is another one: those fields mean nothing.
  @Test
  void selectors_areOfTheFramework() {
    Asking plain = shop(RouteClass.PUBLIC_SSR, ALL, CookiePolicy.PRIVATE, Framework.NONE);

    assertThat(plain.keyed("/p", "RSC", "1", "Next-Url", "/a").key())
        .isEqualTo(plain.keyed("/p").key());
    assertThat(plain.parts("/p?_rsc=1").query()).isEqualTo("_rsc=1");
  }

  // DEC-23
  @Test
  void prerendered_leavesTreeUrlAndQueryOut() {
    Asking pages = shop(Asking.PRERENDERED);
    CacheKey payload = pages.keyed("/p?_rsc", "RSC", "1").key();

    assertThat(
            pages
                .keyed(
                    get(
                        "/p?a=1&_rsc=Q-QD8qG9tiX4t5R-",
                        "RSC",
                        "1",
                        "Next-Router-State-Tree",
                        "%5B%22%22%5D",
                        "Next-Url",
                        "/catalog"))
                .key())
        .isEqualTo(payload);
    assertThat(pages.keyed("/p?a=1", "Next-Url", "/x").key())
        .isEqualTo(pages.keyed("/p").key())
        .isNotEqualTo(payload);
    assertThat(KeyParts.of(payload).covers("next-url")).isTrue();
  }

  // KEY-21
  @Test
  void staticKeys_leaveTheFrameworkOut() {
    CacheKey plain = files.keyed("/a.js").key();

    assertThat(files.keyed("/a.js", "RSC", "1", "Next-Url", "/").key()).isEqualTo(plain);
    assertThat(files.keyed("/a.js", "User-Agent", "Bingbot").key()).isEqualTo(plain);
    assertThat(files.keyed("/a.js", "Cookie", "s=1").key()).isEqualTo(plain);
  }

  // KEY-22
  @Test
  void deployment_isInTheKey() {
    CacheKey one = shop(RouteClass.PUBLIC_SSR, share(ALL), Framework.NEXTJS, "1").keyed("/").key();
    CacheKey two = shop(RouteClass.PUBLIC_SSR, share(ALL), Framework.NEXTJS, "2").keyed("/").key();

    assertThat(one).isNotEqualTo(two).isNotEqualTo(key("/"));
  }

  // KEY-23
  @Test
  void separators_areInNoComponent() {
    assertThat(hostPath("a.com", "/b/c")).isNotEqualTo(hostPath("a.com/b", "/c"));
    assertThat(key("/p", "Next-Url", "a\0-accept")).isNotEqualTo(key("/p", "Next-Url", "a"));
    assertThat(KeyParts.of(key("/p", "Next-Url", "a\0b\u20ac")).fields())
        .containsEntry("next-url", Optional.of("a\0b\u20ac"));
  }

  private CacheKey hostPath(String host, String path) {
    RequestHead head = head("GET", host, path);
    return shop.keyed(head).key();
  }

  // KEY-24: a purge goes by the path as routes see it, which two raw paths may share.
  @Test
  void normalizedPath_isNotInTheKey() {
    assertThat(get("/%61").target().path()).isEqualTo(get("/a").target().path());
    RequestHead raw = get("/a");
    var other = new Target("/a", "/side-data", "", false, false);
    RequestHead moved =
        new RequestHead("GET", other, raw.authority(), 1, raw.headers(), raw.framing());
    assertThat(shop.keyed(moved).key().bytes()).isEqualTo(shop.keyed(raw).key().bytes());
  }

  @Test
  void limitedBots_areAVariant_butNotOfImages() {
    CacheKey bot = key("/p", "User-Agent", "Mozilla/5.0 (compatible; bingbot/2.0)");

    assertThat(bot).isNotEqualTo(key("/p")).isEqualTo(key("/p", "User-Agent", "Twitterbot/1.0"));
    assertThat(key("/p", "User-Agent", "Mozilla/5.0 (X11) Firefox/140")).isEqualTo(key("/p"));
    assertThat(key("/_next/image?w=1", "User-Agent", "Bingbot")).isEqualTo(key("/_next/image?w=1"));
  }

  // NXT-15, C10: what the optimizer chooses by, not how a browser spells it.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "image/avif,image/webp,image/apng,*/*;q=0.8 | image/avif,image/webp,*/*",
        "image/webp, image/avif | image/avif,image/webp,*/*",
        "image/webp;q=0.9 | image/webp,*/*",
        "image/avif | image/avif,*/*",
        "image/avif;q=0, image/webp | image/webp,*/*",
        "image/png,*/* | */*",
        "'' | */*"
      })
  void imageAccept_isOneOfFour(String sent, String inKey) {
    for (Asking asked : List.of(shop, shop(vary("accept")))) {
      assertThat(asked.parts("/_next/image?w=1", "Accept", sent).fields())
          .containsOnlyKeys("accept")
          .containsEntry("accept", Optional.of(inKey));
    }
    assertThat(shop.keyed("/p", "Accept", sent).key()).isEqualTo(shop.keyed("/p").key());
  }

  @Test
  void wholeRequests_haveKeysOfTheirOwn_withoutACoding() {
    Asking whole = shop(Asking.WHOLE);

    assertThat(whole.parts("/p", "Accept-Encoding", "br").coding()).isNull();
    assertThat(whole.keyed("/p", "Accept-Encoding", "br").key())
        .isEqualTo(whole.keyed("/p", "Accept-Encoding", "gzip, identity;q=0").key())
        .isNotEqualTo(key("/p"));
    assertThat(whole.parts("/p").covers("accept-encoding")).isFalse();
    assertThat(shop.parts("/p").covers("accept-encoding")).isTrue();
  }

  static SharePolicy share(SharePolicy.KeyPolicy key) {
    return new SharePolicy(true, false, Asking.cacheOn(), CookiePolicy.PRIVATE, key);
  }
}
