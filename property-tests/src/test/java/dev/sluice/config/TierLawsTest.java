package dev.sluice.config;

import static dev.sluice.config.LawReading.NOTHING;
import static dev.sluice.config.LawReading.accepted;
import static dev.sluice.config.LawReading.errors;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.admit.AdmitSettings;
import dev.sluice.governor.classify.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/**
 * DEC-30: the shares, weights and reservations of a file that is accepted leave every route a
 * start.
 */
class TierLawsTest {

  /** Who uses the application, drawn small so that tiers and weights get in each other's way. */
  record Tiers(
      int max, Map<String, Integer> ceilings, Map<String, Integer> reserved, List<Rule> routes) {

    record Rule(String tier, int weight) {}

    String text() {
      var text = new StringBuilder("version: 1\norigin:\n  upstreams: [\"127.0.0.1:3000\"]\n");
      text.append("  concurrency: { max: " + max + " }\n");
      text.append("  priorities: " + flow(ceilings) + "\n");
      text.append("  reservations: " + flow(reserved) + "\n");
      text.append("routes:\n");
      for (int i = 0; i < routes.size(); i++) {
        text.append("  - { id: r%d, match: /r%d/**, ".formatted(i, i));
        text.append("priority: %s, ".formatted(routes.get(i).tier()));
        text.append("weight: %d }\n".formatted(routes.get(i).weight()));
      }
      return text.toString();
    }

    private static String flow(Map<String, Integer> shares) {
      return shares.entrySet().stream()
          .map(share -> share.getKey() + ": " + share.getValue())
          .collect(Collectors.joining(", ", "{ ", " }"));
    }

    /** Whether each tier that is named has a unit, and each route could have its units alone. */
    boolean fit() {
      List<Rule> all = new ArrayList<>(routes);
      // DEC-02: the catch-all that Sluice adds.
      all.add(new Rule("normal", 1));
      boolean shares = !ceilings.isEmpty() || !reserved.isEmpty();
      return reserved.values().stream().mapToInt(percent -> percent).sum() <= 100
          && ceilings.values().stream().allMatch(percent -> units(percent) > 0)
          && reserved.values().stream().allMatch(percent -> percent == 0 || units(percent) > 0)
          && reserved.entrySet().stream()
              .allMatch(of -> of.getValue() <= ceilings.getOrDefault(of.getKey(), 100))
          && all.stream().allMatch(rule -> rule.tier().equals("normal") || shares)
          && all.stream().allMatch(rule -> rule.weight() <= room(rule.tier()));
    }

    private int room(String tier) {
      int others = 0;
      for (Map.Entry<String, Integer> of : reserved.entrySet()) {
        others += of.getKey().equals(tier) ? 0 : units(of.getValue());
      }
      return Math.min(units(ceilings.getOrDefault(tier, 100)), max - others);
    }

    private int units(int percent) {
      return max * percent / 100;
    }
  }

  @Provide
  Arbitrary<Tiers> tiers() {
    Arbitrary<String> tier = Arbitraries.of("high", "normal", "low");
    Arbitrary<Integer> percent = Arbitraries.of(0, 5, 20, 25, 50, 80, 100);
    Arbitrary<Map<String, Integer>> ceilings =
        Arbitraries.maps(tier, percent.filter(share -> share > 0)).ofMaxSize(2);
    Arbitrary<Map<String, Integer>> reserved = Arbitraries.maps(tier, percent).ofMaxSize(2);
    Arbitrary<List<Tiers.Rule>> routes =
        Combinators.combine(tier, Arbitraries.integers().between(1, 5))
            .as(Tiers.Rule::new)
            .list()
            .ofMaxSize(2);
    return Combinators.combine(Arbitraries.integers().between(1, 12), ceilings, reserved, routes)
        .as(Tiers::new);
  }

  /** DEC-30: refused is exactly what some route could never start under, the catch-all included. */
  @Property(tries = 1000)
  void tiers_accepted_exactlyWhereEachRouteCanStart(@ForAll("tiers") Tiers tiers) {
    Statistics.label("fit")
        .collect(tiers.fit())
        .coverage(
            seen ->
                List.of(true, false).forEach(fit -> seen.check(fit).percentage(part -> part > 15)));
    List<SettingsProblem> errors = errors(tiers.text(), NOTHING);
    assertThat(errors.isEmpty()).as(tiers.text() + errors).isEqualTo(tiers.fit());
    if (tiers.fit()) {
      AdmitSettings admit = accepted(tiers.text(), NOTHING).settings().admit();
      assertThat(admit.priorities()).isEqualTo(byTier(tiers.ceilings()));
      assertThat(admit.reservations()).isEqualTo(byTier(tiers.reserved()));
    }
  }

  private static Map<Priority, Integer> byTier(Map<String, Integer> shares) {
    return shares.entrySet().stream()
        .collect(
            Collectors.toMap(
                share -> Priority.valueOf(share.getKey().toUpperCase(Locale.ROOT)),
                Map.Entry::getValue));
  }
}
