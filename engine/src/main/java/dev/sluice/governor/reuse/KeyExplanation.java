package dev.sluice.governor.reuse;

import dev.sluice.governor.reuse.Selection.Alone;
import dev.sluice.governor.reuse.Selection.Keyed;
import dev.sluice.governor.reuse.SharedRequest.Validators;
import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** A selection in words, one fact a line, for {@code sluice explain}. Stateless. */
public final class KeyExplanation {

  private KeyExplanation() {}

  /** The lines for {@code selection}, each {@code name: value}. */
  public static List<String> of(Selection selection) {
    if (selection instanceof Alone alone) {
      return List.of(
          "shared: no (" + alone.reason().code() + ")", "because: " + alone.reason().sentence());
    }
    return keyed((Keyed) selection);
  }

  private static List<String> keyed(Keyed keyed) {
    var lines = new ArrayList<String>();
    lines.add("shared: yes, if the answer permits" + unlessStored(keyed));
    KeyParts parts = KeyParts.of(keyed.key());
    parts.lines().forEach(line -> lines.add("key " + line));
    RequestHead asked = SharedRequest.ofLead(keyed, Validators.NONE);
    lines.add("origin request: " + asked.method() + " " + asked.target().raw());
    Set<String> dropped = names(keyed.head().headers());
    dropped.removeAll(names(asked.headers()));
    lines.add("dropped from it: " + (dropped.isEmpty() ? "nothing" : String.join(", ", dropped)));
    return lines;
  }

  private static String unlessStored(Keyed keyed) {
    var reason = keyed.aloneUnlessStored();
    if (reason != null) {
      return "; alone if nothing is stored (" + reason.code() + ")";
    }
    return keyed.isHead() ? "; follows a GET and never leads" : "";
  }

  private static Set<String> names(Headers headers) {
    var names = new TreeSet<String>();
    for (int i = 0; i < headers.size(); i++) {
      names.add(headers.name(i).toLowerCase(Locale.ROOT));
    }
    return names;
  }
}
