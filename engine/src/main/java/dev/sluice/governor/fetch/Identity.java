package dev.sluice.governor.fetch;

import dev.sluice.http.Headers;
import dev.sluice.http.ResponseHead;
import java.time.Duration;

/**
 * How an origin in clear text proves that it is the one (field case H12): {@code path} is answered
 * with this field, whatever the status. An address may have become somebody else's. Immutable.
 *
 * @param field its name, in lower case
 * @param value all of its value, to the letter
 * @param within how long the answer is waited for
 */
public record Identity(String path, String field, String value, Duration within) {

  /** Whether {@code answer} is the one's. */
  boolean isShownBy(ResponseHead answer) {
    Headers headers = answer.headers();
    for (int i = 0; i < headers.size(); i++) {
      if (headers.name(i).equalsIgnoreCase(field) && headers.value(i).equals(value)) {
        return true;
      }
    }
    return false;
  }
}
