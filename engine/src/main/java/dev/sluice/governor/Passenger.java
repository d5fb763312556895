package dev.sluice.governor;

import dev.sluice.governor.classify.Priority;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;
import dev.sluice.time.Loop;

/**
 * Who waits for a flight's landing: an exchange. A flight calls it on the passenger's own loop
 * (DEC-47), but for what says otherwise.
 */
interface Passenger {

  /** Where it lives. Thread-safe. */
  Loop loop();

  /** What it asks. Thread-safe. */
  RequestHead request();

  /** When it boarded, on the ticker. Thread-safe. */
  long boardedNanos();

  /** The tier that it asks at. Thread-safe. */
  Priority priority();

  /** Its place in the order of arrivals (BEY-04). Thread-safe. */
  long arrival();

  /** A 1xx; for the lead only. */
  void interim(ResponseHead head);

  /** The landing; once for each boarding. */
  void landed(Landing landing);

  /** The origin's end of its tunnel broke off, for {@code cause}. */
  void cut(Cause cause);

  /** Its client half-closed while the flight waited for its grant: it is let go (DEC-27). */
  void letGo();

  /** It left a flight that goes on with nobody aboard (DEC-28). */
  void leftUnderWay();

  /** That flight is over. */
  void leftEnded();
}
