package dev.sluice.governor.classify;

/** Who will read an answer that we write ourselves, which decides its form (ADM-11 to ADM-14). */
public enum Audience {
  /** A browser that loads a document for somebody to look at: the only one to get HTML. */
  NAVIGATION,
  /** A program whose Accept asks for JSON. */
  JSON,
  /** A framework's prefetch: an empty 204 tells it to ask again when it matters (DEC-16). */
  PREFETCH,
  /** Anybody else: plain text. */
  PLAIN
}
