package dev.sluice.governor;

import dev.sluice.http.ResponseHead;

/** Who waits for a flight's landing: an exchange. Called on the passenger's loop. */
interface Passenger {

  /** A 1xx; for the lead only. */
  void interim(ResponseHead head);

  /** The landing; once. */
  void landed(Landing landing);
}
