package dev.sluice.http.caching;

import dev.sluice.http.AbsoluteForm;
import dev.sluice.http.Authority;
import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import dev.sluice.http.Target;
import java.util.LinkedHashSet;
import java.util.Set;

/** Whose stored answers an unsafe request that went well makes invalid (RFC 9111 4.4). Pure. */
public final class Invalidation {

  /** Answers from this status on say that the request changed nothing. */
  public static final int FIRST_ERROR = 400;

  private static final String CONTENT_LOCATION = "content-location";

  private Invalidation() {}

  /**
   * The normalized paths: the request's own, and those that the answer names in Location and
   * Content-Location, as far as they are of the same origin.
   */
  public static Set<String> paths(RequestHead asked, Headers answer) {
    var paths = new LinkedHashSet<String>();
    paths.add(asked.target().path());
    for (int i = 0; i < answer.size(); i++) {
      if (answer.known(i) == FieldName.LOCATION
          || answer.name(i).equalsIgnoreCase(CONTENT_LOCATION)) {
        add(answer.value(i).strip(), asked, paths);
      }
    }
    return paths;
  }

  /** Resolves a reference (RFC 3986 5.2.2), whose query and fragment do not matter here. */
  private static void add(String reference, RequestHead asked, Set<String> paths) {
    String plain = untilFragment(reference);
    if (plain.startsWith("//")) {
      addAbsolute("http:" + plain, asked, paths);
    } else if (plain.startsWith("/")) {
      paths.add(Target.ofOriginForm(plain).path());
    } else if (hasScheme(plain)) {
      addAbsolute(plain, asked, paths);
    } else if (!plain.isEmpty() && plain.charAt(0) != '?') {
      String base = asked.target().path();
      String folder = base.substring(0, base.lastIndexOf('/') + 1);
      paths.add(Target.ofOriginForm(folder + plain).path());
    }
  }

  private static void addAbsolute(String uri, RequestHead asked, Set<String> paths) {
    if (AbsoluteForm.split(asked.method(), uri) instanceof AbsoluteForm.Split split
        && Authority.parse(asked.authority()) instanceof Authority.Valid own) {
      int port = split.scheme().equals("https") ? 443 : 80;
      if (split.authority().normalized(port).equals(own.normalized(port))) {
        paths.add(Target.ofOriginForm(split.originForm()).path());
      }
    }
  }

  private static String untilFragment(String reference) {
    int hash = reference.indexOf('#');
    return hash < 0 ? reference : reference.substring(0, hash);
  }

  /** A colon before any slash or question mark ends a scheme (RFC 3986 4.2). */
  private static boolean hasScheme(String reference) {
    for (int i = 0; i < reference.length(); i++) {
      char c = reference.charAt(i);
      if (c == ':') {
        return true;
      }
      if (c == '/' || c == '?') {
        return false;
      }
    }
    return false;
  }
}
