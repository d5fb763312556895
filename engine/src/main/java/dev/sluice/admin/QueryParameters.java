package dev.sluice.admin;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query as forms are written (plus is a space), in its order. Immutable.
 *
 * @param wrong what is wrong with it, in one sentence; null where nothing is
 */
record QueryParameters(List<Pair> pairs, @Nullable String wrong) {

  /** One parameter; without {@code =} its value is empty. */
  record Pair(String name, String value) {}

  QueryParameters {
    pairs = List.copyOf(pairs);
  }

  static QueryParameters read(String query) {
    var pairs = new ArrayList<Pair>();
    for (String pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
      int mark = pair.indexOf('=');
      String name = mark < 0 ? pair : pair.substring(0, mark);
      try {
        String value = mark < 0 ? "" : pair.substring(mark + 1);
        pairs.add(new Pair(name, URLDecoder.decode(value, StandardCharsets.UTF_8)));
      } catch (IllegalArgumentException malformed) {
        return new QueryParameters(List.of(), name + " has an escape that is none");
      }
    }
    return new QueryParameters(pairs, null);
  }
}
