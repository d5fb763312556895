package dev.sluice.soak;

/** What clients ask for, one request after the other. Confined to one thread. */
interface Asks {

  /**
   * Any kind; whether it ends by itself depends on {@code endless}: a stream may go on for ever.
   */
  Ask next(boolean endless);

  /** One that may stand in a pipeline. */
  Ask page();
}
