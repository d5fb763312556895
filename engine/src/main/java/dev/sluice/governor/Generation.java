package dev.sluice.governor;

import dev.sluice.governor.admit.AdmitSettings;
import dev.sluice.governor.classify.Classifier;
import dev.sluice.governor.classify.ClassifySettings;
import dev.sluice.governor.deliver.DeliverSettings;
import dev.sluice.governor.deliver.SyntheticReplies;
import dev.sluice.governor.fetch.FetchSettings;
import dev.sluice.governor.fetch.OriginRequest;
import dev.sluice.wire.WireSettings;
import java.nio.charset.StandardCharsets;

/**
 * One configuration, compiled. An exchange keeps the generation that its head met; a reload is a
 * new one (DEC-36). Immutable.
 *
 * @param number 1 at start, one more with each reload
 */
public record Generation(
    long number,
    ClassifySettings classify,
    AdmitSettings admit,
    FetchSettings fetch,
    DeliverSettings deliver,
    WireSettings wire,
    Classifier classifier,
    OriginRequest originRequest,
    SyntheticReplies replies) {

  private static final byte[] NO_LINES = {};
  private static final byte[] BYPASS =
      "X-Sluice: BYPASS\r\nCache-Status: sluice; fwd=bypass\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  /** What tells of the journey on an answer of the origin's, where that is wanted (PRX-34). */
  byte[] debugLines() {
    return deliver.debugHeaders() ? BYPASS : NO_LINES;
  }
}
