package dev.sluice.governor.classify;

/** Whose request headers, cookies and paths the classifier understands. */
public enum Framework {
  NEXTJS,
  NONE
}
