package dev.sluice.governor.reuse;

import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.governor.classify.Classifier;
import dev.sluice.governor.classify.ClassifySettings;
import dev.sluice.governor.classify.Framework;
import dev.sluice.governor.classify.OnClientAbort;
import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.RouteLimits;
import dev.sluice.governor.classify.SharePolicy;
import dev.sluice.governor.classify.SharePolicy.CachePolicy;
import dev.sluice.governor.classify.SharePolicy.CookiePolicy;
import dev.sluice.governor.classify.SharePolicy.KeyPolicy;
import dev.sluice.governor.classify.SharePolicy.QueryMode;
import dev.sluice.governor.reuse.Selection.Keyed;
import dev.sluice.governor.reuse.cache.CacheSettings;
import dev.sluice.governor.reuse.coalesce.CoalesceSettings;
import dev.sluice.http.FieldList;
import dev.sluice.http.FieldName;
import dev.sluice.http.Framing;
import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import dev.sluice.http.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Routes and requests drawn from few pieces, so that pairs of them meet often. */
final class Drawn {

  private Drawn() {}

  /** A request as text, so that a failing one can be read. */
  record Ask(String scheme, String host, String path, List<String> pairs, List<Field> fields) {

    RequestHead head() {
      return head(pairs, fields, host);
    }

    RequestHead head(List<String> ownPairs, List<Field> ownFields, String ownHost) {
      List<String> lines = new ArrayList<>();
      ownFields.forEach(
          field -> {
            lines.add(field.name());
            lines.add(field.value());
          });
      List<String> query = new ArrayList<>(ownPairs);
      FieldList headers = FieldList.of(lines.toArray(String[]::new));
      if (isPayload(headers)) {
        String digest = new RscParameter().of(headers);
        query.add("_rsc" + (digest.isEmpty() ? "" : "=" + digest));
      }
      String target = path + (query.isEmpty() ? "" : "?" + String.join("&", query));
      return new RequestHead(
          "GET", Target.ofOriginForm(target), ownHost, 1, headers, Framing.None.INSTANCE);
    }

    private static boolean isPayload(Headers headers) {
      return headers.all(FieldName.RSC).equals(List.of("1"));
    }
  }

  record Field(String name, String value) {}

  static Arbitrary<Ask> asks() {
    Arbitrary<String> pair =
        Arbitraries.of("a=1", "a=2", "b=1", "b", "b=", "c=%26", "%61=1", "x[]=1", "u=1;v=2", "");
    return Combinators.combine(
            Arbitraries.of("http", "https"),
            Arbitraries.of("a.example", "A.example.", "a.example:80", "a.example:443", "b.example"),
            Arbitraries.of("/", "/p", "/p/", "/%70", "/_next/image"),
            pair.list().ofMaxSize(3),
            field().list().ofMaxSize(6))
        .as(Ask::new);
  }

  static Arbitrary<Field> field() {
    Arbitrary<String> name =
        Arbitraries.of(
            "RSC",
            "rsc",
            "Next-Url",
            "next-url",
            "Next-Router-Prefetch",
            "Next-Router-State-Tree",
            "Next-Router-Segment-Prefetch",
            "Accept",
            "Accept-Encoding",
            "Accept-Language",
            "accept-language",
            "User-Agent",
            "X-Country",
            "X-Other",
            "X-Forwarded-Host",
            "If-None-Match");
    Arbitrary<String> value =
        Arbitraries.of(
            "1",
            "",
            "gzip",
            "gzip;q=0",
            "br",
            "*",
            "image/webp",
            "Bingbot",
            "de",
            "/a",
            "a\0b",
            "\u00e9",
            "+x:1",
            "a, b");
    return Combinators.combine(name, value).as(Field::new);
  }

  static Arbitrary<Shop> shops() {
    return Combinators.combine(
            Arbitraries.of(RouteClass.PUBLIC_SSR, RouteClass.PUBLIC_DYNAMIC, RouteClass.STATIC),
            policies(),
            Arbitraries.of(Framework.values()),
            Arbitraries.of("", "7"),
            Arbitraries.of(List.<String>of(), List.of("x-other"), List.of("accept", "user-agent")))
        .as(Shop::new);
  }

  private static Arbitrary<KeyPolicy> policies() {
    return Combinators.combine(
            Arbitraries.of(QueryMode.values()),
            Arbitraries.of(List.<String>of(), List.of("a"), List.of("a", "b")),
            Arbitraries.of(
                List.<String>of(), List.of("accept-language"), List.of("accept", "next-url")),
            Arbitraries.of(List.<String>of(), List.of("x-country")),
            Arbitraries.of(true, false))
        .as(
            (mode, keys, vary, forward, prerendered) ->
                new KeyPolicy(mode, keys, vary, forward, false, prerendered));
  }

  /** One route for everything, and what is selected on it. */
  static final class Shop {
    private final String said;
    private final KeyWriter writer = new KeyWriter();
    private final Classifier classifier;
    private final KeyRecipe recipe;
    private final VaryMemory memory = new VaryMemory();

    Shop(
        RouteClass routeClass,
        KeyPolicy key,
        Framework framework,
        String deployment,
        List<String> learned) {
      this.said = routeClass + " " + key + " " + framework + " " + deployment + " " + learned;
      CachePolicy cache = new CachePolicy(true, false, null, null, Duration.ZERO, false, false);
      SharePolicy share = new SharePolicy(true, false, cache, CookiePolicy.PRIVATE, key);
      Route route =
          new Route(
              "all",
              "/**",
              routeClass,
              Priority.NORMAL,
              1,
              OnClientAbort.FINISH,
              RouteLimits.NONE,
              share,
              false);
      ClassifySettings classify = new ClassifySettings(framework, List.of(route), List.of());
      this.classifier = new Classifier(classify);
      this.recipe =
          new KeyRecipe(
              new ReuseSettings(
                  new CacheSettings(1, 1, 16, "t", false, false, ""),
                  new CoalesceSettings(1, 1, Duration.ZERO, Duration.ZERO, null),
                  List.of("gzip"),
                  deployment),
              classify);
      if (!learned.isEmpty()) {
        keyed(new Ask("http", "a.example", "/", List.of(), List.of()).head(), "http")
            .ifPresent(keyed -> memory.learn(keyed, learned));
      }
    }

    Optional<Keyed> keyed(RequestHead head, String scheme) {
      return classifier.classify(head) instanceof Classified classified
              && recipe.select(head, scheme, classified, memory, writer) instanceof Keyed keyed
          ? Optional.of(keyed)
          : Optional.empty();
    }

    Optional<Keyed> keyed(Ask ask) {
      return keyed(ask.head(), ask.scheme());
    }

    @Override
    public String toString() {
      return said;
    }
  }
}
