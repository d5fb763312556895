package dev.sluice.governor.reuse.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.outcome.BypassReason;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The store's account, its purges and its bounds (DEC-38, DEC-39), maintenance run by hand. */
class ResponseCacheTest {

  private static final int MAX = 160_000;

  private final ArrayDeque<Runnable> maintenance = new ArrayDeque<>();
  private final ResponseCache cache = new ResponseCache(MAX, maintenance::add);

  /** Whatever a test did: once all is taken out and let go, nothing is in the account. */
  @AfterEach
  void nothingIsLeft() {
    cache.purge(new PurgeSelector.All(), false);
    maintain();
    assertThat(cache.account().used()).isZero();
  }

  @Test
  void find_pinsWhatItGives() {
    StoredResponse entry = put("/a", 1000);

    assertThat(cache.find(Entries.key("/a"))).isSameAs(entry);
    assertThat(entry.body().holders()).isEqualTo(2);
    assertThat(cache.find(Entries.key("/b"))).isNull();
    entry.body().unpin();
  }

  /** DEC-38: bytes are given back at the last unpin, not when the index lets go. */
  @Test
  void removedWhileItIsRead_staysInTheAccount() {
    StoredResponse entry = put("/a", 1000);
    long charged = entry.body().charged();
    assertThat(charged).isEqualTo(Entries.charge(Entries.key("/a"), 1000));
    cache.find(Entries.key("/a"));
    cache.remove(entry);
    maintain();

    assertThat(cache.find(Entries.key("/a"))).isNull();
    assertThat(cache.occupancy().bytes()).isEqualTo(charged);
    assertThat(cache.occupancy().pinnedBytes()).isEqualTo(charged);
    entry.body().unpin();
    assertThat(cache.occupancy()).isEqualTo(new ResponseCache.Occupancy(0, 0, 0, MAX, 0, 0, 0, 0));
  }

  @Test
  void replaced_letsTheOldOneGoAndKeepsTheNew() {
    StoredResponse old = put("/a", 1000);
    StoredResponse fresh = put("/a", 2000);
    maintain();

    assertThat(old.body().tryPin()).isFalse();
    assertThat(cache.find(Entries.key("/a"))).isSameAs(fresh);
    fresh.body().unpin();
    // By identity: whoever still knows the old one does not take the new one out.
    cache.remove(old);
    maintain();
    assertThat(cache.occupancy().entries()).isEqualTo(1);
    assertThat(cache.occupancy().bytes()).isEqualTo(fresh.body().charged());
  }

  @Test
  void moreThanAQuarterPinnedOutsideTheIndex_keepsNothingNew() {
    StoredResponse entry = put("/large", MAX / 4);
    cache.find(Entries.key("/large"));
    cache.remove(entry);
    maintain();

    assertThat(cache.reserve(100)).isEqualTo(BypassReason.STORE_FULL);
    entry.body().unpin();
    assertThat(cache.reserve(100)).isNull();
    cache.account().giveBack(100);
  }

  @Test
  void withoutRoom_theNextOfThatSizeFindsSome() {
    fill(1000);
    assertThat(cache.reserve(80_000)).isEqualTo(BypassReason.STORE_FULL);
    assertThat(cache.reserve(20_000)).isEqualTo(BypassReason.STORE_FULL);
    long before = cache.occupancy().evictions();
    assertThat(maintenance.size()).as("one task for all who found no room").isLessThanOrEqualTo(2);
    maintain();

    assertThat(cache.reserve(80_000)).isNull();
    assertThat(cache.occupancy().evictions()).isGreaterThan(before + 40);
    cache.account().giveBack(80_000);
  }

  @Test
  void largerThanTheStore_throwsNobodyOut() {
    fill(1000);
    maintain();
    long entries = cache.occupancy().entries();
    assertThat(cache.reserve(MAX + 1)).isEqualTo(BypassReason.STORE_FULL);
    maintain();
    assertThat(cache.occupancy().entries()).isEqualTo(entries);
  }

  @Test
  void maintenanceThatEnded_isNoFailureOfTheAnswer() {
    var stopping =
        new ResponseCache(
            10_000,
            task -> {
              throw new RejectedExecutionException("stopping");
            });
    assertThat(stopping.reserve(10_000)).isNull();
    assertThat(stopping.reserve(1)).isEqualTo(BypassReason.STORE_FULL);
  }

  @Test
  void storeOfNoBytes_keepsNothing() {
    var none = new ResponseCache(0, maintenance::add);
    assertThat(none.reserve(1)).isEqualTo(BypassReason.STORE_FULL);
  }

  // Variants (BEY-05).

  @Test
  void variants_countUpAndDownAgain() {
    CacheKey primary = Entries.key("/v");
    StoredResponse german = putVariant(primary, "de");
    putVariant(primary, "fr");

    assertThat(cache.hasRoomFor(primary, 3)).isTrue();
    assertThat(cache.hasRoomFor(primary, 2)).isFalse();
    assertThat(cache.mayKeep(german.filing().key(), primary, 2))
        .as("one that is there may be renewed")
        .isTrue();
    assertThat(cache.mayKeep(Entries.key("/v|it"), primary, 2)).isFalse();

    putVariant(primary, "de");
    maintain();
    assertThat(cache.hasRoomFor(primary, 3)).as("renewed is not one more").isTrue();

    cache.purge(new PurgeSelector.Path("/v"), false);
    maintain();
    assertThat(cache.hasRoomFor(primary, 1)).isTrue();
  }

  @Test
  void answersWithoutVariants_countForNone() {
    put("/a", 10);
    assertThat(cache.hasRoomFor(Entries.key("/a"), 1)).isTrue();
  }

  // Purging.

  /** CCH-20 to CCH-23. */
  @Test
  void purge_meansExactlyWhatItSays() {
    put("/products", 10, "sale", "all");
    put("/products/x", 10, "all");
    put("/other", 10, "sales");

    assertThat(cache.purge(new PurgeSelector.Path("/products"), false).entries()).isEqualTo(1);
    assertThat(cache.purge(new PurgeSelector.Path("/products/[slug]"), false).entries()).isZero();
    assertThat(cache.purge(new PurgeSelector.Tag("sale"), false).entries()).isZero();
    assertThat(cache.purge(new PurgeSelector.Prefix("/prod"), false).entries()).isEqualTo(1);
    ResponseCache.Purged all = cache.purge(new PurgeSelector.All(), false);
    assertThat(all.entries()).isEqualTo(1);
    assertThat(all.number()).isEqualTo(5).isEqualTo(cache.purgeNumber());
    maintain();
    assertThat(cache.occupancy().bytes()).isZero();
  }

  @Test
  void purgeOfAPath_findsAllItsVariantsAndCountsThem() {
    CacheKey primary = Entries.key("/v");
    putVariant(primary, "de");
    putVariant(primary, "fr");
    put("/w", 10);
    assertThat(cache.occupancy().variants()).isEqualTo(2);

    assertThat(cache.purge(new PurgeSelector.Path("/v"), false).entries()).isEqualTo(2);
    assertThat(cache.purge(new PurgeSelector.Path("/v"), false).entries()).isZero();
    maintain();

    ResponseCache.Occupancy left = cache.occupancy();
    assertThat(left.entries()).isEqualTo(1);
    assertThat(left.variants()).isZero();
    assertThat(left.purges()).isEqualTo(2);
    assertThat(left.purged()).isEqualTo(2);
  }

  /** One that was replaced is still known by its path until maintenance has run. */
  @Test
  void purgeOfAPath_doesNotCountWhatWasReplaced() {
    put("/a", 10);
    put("/a", 20);

    assertThat(cache.purge(new PurgeSelector.Path("/a"), true).entries()).isEqualTo(1);
    assertThat(cache.purge(new PurgeSelector.Path("/a"), false).entries()).isEqualTo(1);
  }

  @Test
  void smaller_itThrowsOutWhatIsAboveTheBound_andLargerItKeepsMore() {
    fill(1000);
    cache.resize(MAX / 4);
    maintain();

    assertThat(cache.occupancy().maxBytes()).isEqualTo(MAX / 4);
    assertThat(cache.occupancy().bytes()).isPositive().isLessThanOrEqualTo(MAX / 4);
    assertThat(cache.reserve(MAX / 2)).isEqualTo(BypassReason.STORE_FULL);

    cache.resize(2 * MAX);
    maintain();
    assertThat(cache.reserve(MAX)).isNull();
    cache.account().giveBack(MAX);
  }

  @Test
  void softPurge_endsFreshnessAndNotStaleIfError() {
    StoredResponse entry = put("/a", 10);
    assertThat(entry.standing(10)).isEqualTo(StoredResponse.Standing.FRESH);

    assertThat(cache.purge(new PurgeSelector.Path("/a"), true).entries()).isEqualTo(1);

    assertThat(cache.find(Entries.key("/a"))).isSameAs(entry);
    entry.body().unpin();
    assertThat(entry.isSoftlyPurged()).isTrue();
    assertThat(entry.standing(10)).isEqualTo(StoredResponse.Standing.IF_ERROR);
    assertThat(entry.standing(119_999)).isEqualTo(StoredResponse.Standing.IF_ERROR);
    assertThat(entry.standing(120_000)).isEqualTo(StoredResponse.Standing.EXPIRED);
  }

  @Test
  void landedBehindAPurgeThatMeantIt_isNotKeptAndGivesItsBytesBack() {
    long noted = cache.purgeNumber();
    cache.purge(new PurgeSelector.Tag("t"), true);
    StoredResponse entry = made("/a", 1000, "t");

    assertThat(cache.put(entry, noted)).isFalse();
    assertThat(cache.account().used()).isZero();
    assertThat(cache.find(Entries.key("/a"))).isNull();
    assertThat(cache.put(made("/a", 1000, "t"), cache.purgeNumber())).isTrue();
  }

  @Test
  void notedBeforeTheLogsReach_isNotKept() {
    long noted = cache.purgeNumber();
    for (int i = 0; i < PurgeLog.REACH; i++) {
      cache.purge(new PurgeSelector.Path("/other" + i), false);
    }
    assertThat(cache.put(made("/a", 10), noted)).isTrue();
    cache.purge(new PurgeSelector.Path("/other"), false);
    assertThat(cache.put(made("/a", 10), noted)).isFalse();
  }

  // Confirmed answers (RFC 9111 4.3.4).

  @Test
  void confirmed_takesTheOldOnesPlaceAndItsBytes() {
    StoredResponse old = put("/a", 1000, "one");
    StoredResponse renewed = renewed(old, "two");

    assertThat(cache.replace(old, renewed, cache.purgeNumber())).isTrue();
    maintain();

    assertThat(cache.look(Entries.key("/a"))).isSameAs(renewed);
    assertThat(renewed.body().holders()).isEqualTo(1);
    assertThat(cache.occupancy().pinnedBytes()).isZero();
    assertThat(cache.purge(new PurgeSelector.Tag("one"), false).entries()).isZero();
    assertThat(cache.purge(new PurgeSelector.Path("/a"), false).entries()).isEqualTo(1);
  }

  /** DEC-47: what came in its place is newer, and what was taken out stays out. */
  @Test
  void confirmed_whereTheOldOneIsNotThereAnyMore_isNotKept() {
    StoredResponse old = put("/a", 1000);
    StoredResponse removed = put("/b", 1000);
    StoredResponse lateForA = renewed(old);
    StoredResponse lateForB = renewed(removed);
    StoredResponse newer = put("/a", 2000);
    cache.remove(removed);

    assertThat(cache.replace(old, lateForA, cache.purgeNumber())).isFalse();
    assertThat(cache.replace(removed, lateForB, cache.purgeNumber())).isFalse();
    maintain();

    assertThat(cache.look(Entries.key("/a"))).isSameAs(newer);
    assertThat(cache.look(Entries.key("/b"))).isNull();
    assertThat(cache.occupancy().bytes()).isEqualTo(newer.body().charged());
    assertThat(cache.purge(new PurgeSelector.Path("/a"), false).entries()).isEqualTo(1);
  }

  /** DEC-39: a purge means the answer by the tags it had as by those it has now. */
  @Test
  void confirmed_behindAPurgeThatMeantEither_isNotKept() {
    for (String purged : List.of("one", "two")) {
      StoredResponse old = put("/a", 1000, "one");
      long noted = cache.purgeNumber();
      cache.purge(new PurgeSelector.Tag(purged), true);

      assertThat(cache.replace(old, renewed(old, "two"), noted)).as(purged).isFalse();
      assertThat(cache.look(Entries.key("/a"))).isSameAs(old);
    }
  }

  /** DEC-38: the bytes of a longer head are in the account, or it is not kept. */
  @Test
  void longerHead_isChargedUntilTheBytesGo() {
    StoredResponse old = put("/a", 1000);
    long before = cache.occupancy().bytes();

    assertThat(cache.reserveMore(old.body(), before + 500)).isNull();
    assertThat(cache.reserveMore(old.body(), before + 200)).as("shorter again").isNull();
    assertThat(cache.replace(old, renewed(old), cache.purgeNumber())).isTrue();
    maintain();

    assertThat(cache.occupancy().bytes()).isEqualTo(before + 500);
    assertThat(cache.occupancy().pinnedBytes()).isZero();
    StoredResponse kept = put("/b", 1000);
    assertThat(cache.reserveMore(kept.body(), MAX)).isEqualTo(BypassReason.STORE_FULL);
    assertThat(kept.body().charged()).isEqualTo(before);
  }

  /** What a confirmation makes of {@code old}, with the pin that is to be the index's. */
  private static StoredResponse renewed(StoredResponse old, String... tags) {
    StoredResponse.Filing was = old.filing();
    assertThat(old.body().tryPin()).isTrue();
    return new StoredResponse(
        new StoredResponse.Filing(was.key(), was.primary(), was.path(), List.of(tags)),
        old.encodedHead(),
        old.body(),
        old.lifetime(),
        old.rights(),
        old.received());
  }

  private void fill(int size) {
    int i = 0;
    CacheKey key = Entries.key("/" + i);
    while (cache.reserve(Entries.charge(key, size)) == null) {
      assertThat(cache.put(Entries.of(cache, "/" + i, new byte[size]), 0)).isTrue();
      key = Entries.key("/" + ++i);
    }
  }

  private StoredResponse put(String path, int size, String... tags) {
    StoredResponse entry = made(path, size, tags);
    assertThat(cache.put(entry, cache.purgeNumber())).isTrue();
    return entry;
  }

  private StoredResponse made(String path, int size, String... tags) {
    assertThat(cache.reserve(Entries.charge(Entries.key(path), size))).isNull();
    return Entries.of(cache, path, new byte[size], tags);
  }

  private StoredResponse putVariant(CacheKey primary, String language) {
    CacheKey key = Entries.key("/v|" + language);
    assertThat(cache.reserve(Entries.charge(key, 10))).isNull();
    var filing = new StoredResponse.Filing(key, primary, "/v", List.of());
    StoredResponse entry = Entries.of(cache, filing, new byte[10]);
    assertThat(cache.put(entry, cache.purgeNumber())).isTrue();
    return entry;
  }

  private void maintain() {
    for (Runnable task = maintenance.poll(); task != null; task = maintenance.poll()) {
      task.run();
    }
  }
}
