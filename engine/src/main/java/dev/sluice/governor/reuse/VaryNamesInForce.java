package dev.sluice.governor.reuse;

import dev.sluice.governor.reuse.cache.CacheKey;

/** What is known of how answers vary when a key is made. Called on any event loop. */
public interface VaryNamesInForce {

  /** Nothing is known. */
  VaryNamesInForce NOTHING =
      new VaryNamesInForce() {
        @Override
        public VaryNames ofRoute(String routeId) {
          return VaryNames.NONE;
        }

        @Override
        public VaryNames ofKey(CacheKey primary) {
          return VaryNames.NONE;
        }
      };

  /** For a route whose requests are built. */
  VaryNames ofRoute(String routeId);

  /** For a key of a route whose requests go out whole. */
  VaryNames ofKey(CacheKey primary);
}
