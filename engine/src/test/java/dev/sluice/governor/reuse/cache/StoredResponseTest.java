package dev.sluice.governor.reuse.cache;

import static dev.sluice.governor.reuse.cache.StoredResponse.Standing.EXPIRED;
import static dev.sluice.governor.reuse.cache.StoredResponse.Standing.FRESH;
import static dev.sluice.governor.reuse.cache.StoredResponse.Standing.IF_ERROR;
import static dev.sluice.governor.reuse.cache.StoredResponse.Standing.REVALIDATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.http.caching.Lifetime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StoredResponseTest {

  private final ResponseCache cache = new ResponseCache(10_000, Runnable::run);

  /** RFC 9111 4.2, RFC 5861 3 and 4. */
  @Test
  void standing_goesThroughItsWindows() {
    StoredResponse entry = made(new Lifetime(0, 10_000, 5_000, 20_000));
    assertThat(entry.standing(0)).isEqualTo(FRESH);
    assertThat(entry.standing(9_999)).isEqualTo(FRESH);
    assertThat(entry.standing(10_000)).isEqualTo(REVALIDATE);
    assertThat(entry.standing(14_999)).isEqualTo(REVALIDATE);
    assertThat(entry.standing(15_000)).isEqualTo(IF_ERROR);
    assertThat(entry.standing(29_999)).isEqualTo(IF_ERROR);
    assertThat(entry.standing(30_000)).isEqualTo(EXPIRED);
  }

  /** DEC-39, DEC-15: a soft purge ends freshness; it lets nothing be stale that may not be. */
  @Test
  void softPurge_leavesWhatMayBeStaleAsAStandIn_andNothingElse() {
    StoredResponse standIn = made(new Lifetime(0, 10_000, 5_000, 20_000));
    StoredResponse neverStale = made(new Lifetime(0, 10_000, 0, 0));

    standIn.purgeSoftly();
    neverStale.purgeSoftly();

    assertThat(standIn.standing(0)).isEqualTo(IF_ERROR);
    assertThat(standIn.standing(29_999)).isEqualTo(IF_ERROR);
    assertThat(standIn.standing(30_000)).isEqualTo(EXPIRED);
    assertThat(neverStale.standing(0)).isEqualTo(EXPIRED);
  }

  @Test
  void age_isWhatItHadAndWhatThenPassed() {
    StoredResponse entry = made(new Lifetime(3_000, 10_000, 0, 0));
    assertThat(entry.ageMillis(TimeUnit.MILLISECONDS.toNanos(500), 0)).isEqualTo(3_500);
  }

  /** DEC-49: a suspended machine's ticker stood still; the wall clock tells. */
  @Test
  void age_countsASuspendAndNoCorrectionOfTheClock() {
    StoredResponse entry = made(new Lifetime(0, 10_000, 0, 0));
    long second = TimeUnit.SECONDS.toNanos(1);
    assertThat(entry.ageMillis(second, 3_600_000)).isEqualTo(3_601_000);
    assertThat(entry.ageMillis(second, 2_001)).isEqualTo(3_001);
    assertThat(entry.ageMillis(second, 2_000)).isEqualTo(1_000);
    assertThat(entry.ageMillis(second, -3_600_000)).isEqualTo(1_000);
  }

  /** DEC-40: one at a time; behind a failure 1 s, doubling to 30 s. */
  @Test
  void refresh_isOneAtATimeAndBacksOff() {
    StoredResponse entry = made(Entries.MINUTE);
    long now = 0;
    assertThat(entry.tryRefresh(now)).isTrue();
    assertThat(entry.tryRefresh(now)).isFalse();
    for (int seconds : new int[] {1, 2, 4, 8, 16, 30, 30, 30}) {
      entry.refreshFailed(now, 0);
      long due = now + TimeUnit.SECONDS.toNanos(seconds);
      assertThat(entry.tryRefresh(due - 1)).isFalse();
      assertThat(entry.tryRefresh(due)).isTrue();
      assertThat(entry.tryRefresh(due)).isFalse();
      now = due;
    }
  }

  @Test
  void refresh_isSpread() {
    StoredResponse entry = made(Entries.MINUTE);
    assertThat(entry.tryRefresh(0)).isTrue();
    entry.refreshFailed(0, -0.2);
    assertThat(entry.tryRefresh(TimeUnit.MILLISECONDS.toNanos(800) - 1)).isFalse();
    assertThat(entry.tryRefresh(TimeUnit.MILLISECONDS.toNanos(800))).isTrue();
  }

  private StoredResponse made(Lifetime lifetime) {
    CacheKey key = Entries.key("/");
    assertThat(cache.reserve(Entries.charge(key, 1))).isNull();
    var filing = new StoredResponse.Filing(key, key, "/", List.of());
    StoredResponse entry = Entries.of(cache, filing, new byte[1], lifetime);
    // Only its head is asked here.
    entry.body().unpin();
    return entry;
  }
}
