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
import dev.sluice.governor.reuse.Selection.Alone;
import dev.sluice.governor.reuse.Selection.Keyed;
import dev.sluice.governor.reuse.cache.CacheSettings;
import dev.sluice.governor.reuse.coalesce.CoalesceSettings;
import dev.sluice.http.FieldList;
import dev.sluice.http.Framing;
import dev.sluice.http.RequestHead;
import dev.sluice.http.Target;
import dev.sluice.outcome.BypassReason;
import java.time.Duration;
import java.util.List;

/** A shop with one route for everything, and what its requests are selected to. */
final class Asking {

  static final KeyPolicy ALL = KeyPolicy.WHOLE_TARGET;
  static final KeyPolicy WHOLE =
      policy(QueryMode.ALL, List.of(), List.of(), List.of(), true, false);
  static final KeyPolicy PRERENDERED =
      policy(QueryMode.ALL, List.of(), List.of(), List.of(), false, true);
  static final CookiePolicy ASSERTED = new CookiePolicy(true, List.of());

  final VaryMemory memory = new VaryMemory();
  private final KeyWriter writer = new KeyWriter();
  private final Classifier classifier;
  private final KeyRecipe recipe;

  private Asking(ReuseSettings reuse, ClassifySettings classify) {
    this.classifier = new Classifier(classify);
    this.recipe = new KeyRecipe(reuse, classify);
  }

  static KeyPolicy policy(
      QueryMode mode,
      List<String> keys,
      List<String> vary,
      List<String> forward,
      boolean whole,
      boolean rscStatic) {
    return new KeyPolicy(mode, keys, vary, forward, whole, rscStatic);
  }

  static KeyPolicy query(QueryMode mode, String... keys) {
    return policy(mode, List.of(keys), List.of(), List.of(), false, false);
  }

  static KeyPolicy vary(String... names) {
    return policy(QueryMode.ALL, List.of(), List.of(names), List.of(), false, false);
  }

  static KeyPolicy forward(String... names) {
    return policy(QueryMode.ALL, List.of(), List.of(), List.of(names), false, false);
  }

  static Asking shop(KeyPolicy key) {
    return shop(RouteClass.PUBLIC_SSR, key, CookiePolicy.PRIVATE, Framework.NEXTJS);
  }

  static Asking shop(RouteClass routeClass, KeyPolicy key, CookiePolicy cookies, Framework next) {
    return shop(routeClass, new SharePolicy(true, false, cacheOn(), cookies, key), next, "");
  }

  static Asking shop(
      RouteClass routeClass, SharePolicy share, Framework framework, String deployment) {
    return shop(routeClass, share, framework, settings(List.of("gzip"), deployment));
  }

  static Asking shop(
      RouteClass routeClass, SharePolicy share, Framework framework, ReuseSettings reuse) {
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
    return new Asking(reuse, new ClassifySettings(framework, List.of(route), List.of()));
  }

  static ReuseSettings settings(List<String> encodings, String deployment) {
    return new ReuseSettings(
        new CacheSettings(1 << 20, 1 << 20, 16, "x-tags", false, false, ""),
        new CoalesceSettings(1 << 20, 100, Duration.ofSeconds(2), Duration.ofSeconds(10), null),
        encodings,
        deployment);
  }

  static CachePolicy cacheOn() {
    return new CachePolicy(true, false, null, null, Duration.ZERO, false, false);
  }

  static RequestHead get(String target, String... fields) {
    return head("GET", "shop.example", target, fields);
  }

  static RequestHead head(String method, String host, String target, String... fields) {
    return new RequestHead(
        method, Target.ofOriginForm(target), host, 1, FieldList.of(fields), Framing.None.INSTANCE);
  }

  Selection select(RequestHead head) {
    return select(head, "http");
  }

  Selection select(RequestHead head, String scheme) {
    if (classifier.classify(head) instanceof Classified classified) {
      return recipe.select(head, scheme, classified, memory, writer);
    }
    throw new AssertionError("refused: " + head);
  }

  /** A request that is classified once and may be selected often. */
  final class Asked {
    private final RequestHead head;
    private final Classified classified;

    private Asked(RequestHead head, Classified classified) {
      this.head = head;
      this.classified = classified;
    }

    Keyed keyed() {
      return (Keyed) recipe.select(head, "http", classified, memory, writer);
    }
  }

  Asked classified(RequestHead head) {
    return new Asked(head, (Classified) classifier.classify(head));
  }

  BypassReason reason(RequestHead head) {
    if (select(head) instanceof Alone alone) {
      return alone.reason();
    }
    throw new AssertionError("may share: " + head);
  }

  Keyed keyed(RequestHead head) {
    return keyed(head, "http");
  }

  Keyed keyed(RequestHead head, String scheme) {
    Selection selection = select(head, scheme);
    if (selection instanceof Keyed keyed) {
      return keyed;
    }
    throw new AssertionError("goes alone: " + selection);
  }

  Keyed keyed(String target, String... fields) {
    return keyed(get(target, fields));
  }

  KeyParts parts(String target, String... fields) {
    return KeyParts.of(keyed(target, fields).key());
  }

  KeyWriter writer() {
    return writer;
  }
}
