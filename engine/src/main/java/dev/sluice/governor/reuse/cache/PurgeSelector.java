package dev.sluice.governor.reuse.cache;

import java.util.List;

/** Which answers a purge means (CCH-20 to CCH-23, BEY-08). Immutable. */
public sealed interface PurgeSelector {

  /** Whether an answer to {@code path} with {@code tags} is meant. */
  boolean matches(String path, List<String> tags);

  /** Whether a flight to {@code path} whose head has not come may turn out to be meant. */
  boolean mayMatch(String path);

  /** Every answer with this tag. */
  record Tag(String tag) implements PurgeSelector {
    @Override
    public boolean matches(String path, List<String> tags) {
      return tags.contains(tag);
    }

    @Override
    public boolean mayMatch(String path) {
      return true;
    }
  }

  /** The answers to exactly this path, in all variants. */
  record Path(String exact) implements PurgeSelector {
    @Override
    public boolean matches(String path, List<String> tags) {
      return path.equals(exact);
    }

    @Override
    public boolean mayMatch(String path) {
      return path.equals(exact);
    }
  }

  /** The answers to every path that begins so. */
  record Prefix(String prefix) implements PurgeSelector {
    @Override
    public boolean matches(String path, List<String> tags) {
      return path.startsWith(prefix);
    }

    @Override
    public boolean mayMatch(String path) {
      return path.startsWith(prefix);
    }
  }

  /** Everything: the deployment has changed (CCH-30). */
  record All() implements PurgeSelector {
    @Override
    public boolean matches(String path, List<String> tags) {
      return true;
    }

    @Override
    public boolean mayMatch(String path) {
      return true;
    }
  }
}
