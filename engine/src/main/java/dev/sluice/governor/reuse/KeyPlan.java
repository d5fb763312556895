package dev.sluice.governor.reuse;

import dev.sluice.governor.classify.Framework;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.SharePolicy.KeyPolicy;
import dev.sluice.http.FieldName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What one route puts into its keys, worked out once. Immutable.
 *
 * @param whole whether the lead's request goes out as it came
 * @param variant which of the framework's request fields make a variant
 * @param selectors those fields
 * @param fields further fields, by name; in the key also when they are absent
 * @param isStatic DEC-43: cookies count for nothing
 */
record KeyPlan(
    boolean whole,
    Variant variant,
    List<KeyField> selectors,
    List<KeyField> fields,
    QueryPairs.Rule query,
    CookieRule cookies,
    boolean isStatic) {

  /** Which of the framework's own request fields are in the key. */
  enum Variant {
    /** None: another framework's application, or static files (KEY-21). */
    NONE,
    /** All of them (KEY-16 to KEY-20). */
    DYNAMIC,
    /** A prerendered page: not those that do not change it, nor the query (DEC-23). */
    PRERENDERED
  }

  static final KeyField RSC = KeyField.of("rsc");
  static final KeyField ACCEPT = KeyField.of("accept");
  private static final KeyField PREFETCH = KeyField.of("next-router-prefetch");
  private static final KeyField SEGMENT = KeyField.of("next-router-segment-prefetch");

  /** A middleware answers its redirects in another form to it. */
  private static final KeyField DATA = KeyField.of("x-nextjs-data");

  /** Behind RSC, whose one meaning is written apart. */
  private static final List<KeyField> ALWAYS = List.of(PREFETCH, SEGMENT, DATA);

  private static final List<KeyField> DYNAMIC =
      List.of(
          PREFETCH, KeyField.of("next-router-state-tree"), SEGMENT, KeyField.of("next-url"), DATA);

  /** In every key already, or set by us. */
  private static final Set<String> EVERYWHERE =
      Set.of("host", "x-forwarded-proto", "x-forwarded-host");

  static KeyPlan of(Route route, Framework framework) {
    KeyPolicy key = route.share().key();
    boolean isStatic = route.routeClass() == RouteClass.STATIC;
    Variant variant =
        framework == Framework.NONE || isStatic
            ? Variant.NONE
            : key.rscStatic() ? Variant.PRERENDERED : Variant.DYNAMIC;
    List<KeyField> selectors =
        switch (variant) {
          case NONE -> List.of();
          case DYNAMIC -> DYNAMIC;
          case PRERENDERED -> ALWAYS;
        };
    return new KeyPlan(
        key.whole(),
        variant,
        selectors,
        fields(key, variant, selectors),
        QueryPairs.Rule.of(key, variant != Variant.NONE, variant == Variant.PRERENDERED),
        new CookieRule(route.share().cookies()),
        isStatic);
  }

  private static List<KeyField> fields(KeyPolicy key, Variant variant, List<KeyField> selectors) {
    Set<String> names = new TreeSet<>(key.varyHeaders());
    names.addAll(key.forward());
    names.removeAll(EVERYWHERE);
    if (!key.whole()) {
      names.remove(FieldName.ACCEPT_ENCODING.lower());
    }
    if (variant != Variant.NONE) {
      names.remove(RSC.lower());
      selectors.forEach(selector -> names.remove(selector.lower()));
    }
    List<KeyField> fields = new ArrayList<>();
    names.forEach(name -> fields.add(KeyField.of(name)));
    return List.copyOf(fields);
  }

  /** Whether the field is in the key by the plan already, so that nothing is to be learned. */
  boolean has(KeyField field, boolean image) {
    if (image && field.known() == ACCEPT.known()) {
      return true;
    }
    return isNamed(fields, field)
        || (variant != Variant.NONE && (isNamed(DYNAMIC, field) || field.known() == RSC.known()));
  }

  private static boolean isNamed(List<KeyField> fields, KeyField field) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).lower().equals(field.lower())) {
        return true;
      }
    }
    return false;
  }

  /** Whether the origin may see a cookie of one client of many. */
  static boolean showsCookies(Route route) {
    return route.routeClass() != RouteClass.STATIC && route.share().cookies().assertPublic();
  }
}
