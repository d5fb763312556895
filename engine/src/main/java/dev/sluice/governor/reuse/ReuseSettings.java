package dev.sluice.governor.reuse;

import dev.sluice.governor.reuse.cache.CacheSettings;
import dev.sluice.governor.reuse.coalesce.CoalesceSettings;
import java.util.List;

/**
 * What reuse needs of the configuration beside the routes' own policies. Immutable.
 *
 * @param encodings content codings that a built request asks for, the first that the client accepts
 *     (DEC-34)
 * @param deploymentId part of every key (KEY-22); may be empty
 */
public record ReuseSettings(
    CacheSettings cache, CoalesceSettings coalesce, List<String> encodings, String deploymentId) {

  public ReuseSettings {
    encodings = List.copyOf(encodings);
  }
}
