package dev.sluice.governor.reuse.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.jspecify.annotations.Nullable;

/** DEC-38 and DEC-39 as laws: random work on a store whose maintenance runs whenever it likes. */
class ResponseCacheLawsTest {

  @Property(tries = 200)
  void store_keepsItsAccountAndWhatItWasGiven(
      @ForAll @LongRange(min = 0, max = 1_000_000_000) long seed,
      @ForAll @IntRange(min = 0, max = 60_000) int maxMemory,
      @ForAll @IntRange(min = 1, max = 20) int paths) {
    var world = new World(seed, maxMemory, paths);
    for (int i = 0; i < 400; i++) {
      world.step();
      world.assertAccount();
    }
    world.assertEmptiesToNothing();
  }

  /** Every order in which two landings, a hard and a soft purge, and a look can come. */
  @Property(tries = 1)
  void everyOrderOfLandingsAndPurges_neverResurrects() {
    List<List<Move>> orders = new ArrayList<>();
    interleave(
        List.of(
            List.of(Move.DEPART_A, Move.LAND_A),
            List.of(Move.DEPART_B, Move.LAND_B),
            List.of(Move.PURGE_HARD),
            List.of(Move.PURGE_SOFT),
            List.of(Move.PURGE_OTHER)),
        new ArrayList<>(),
        orders);
    assertThat(orders).hasSize(7 * 6 * 5 * 4 * 3 * 2 / 4);
    orders.forEach(ResponseCacheLawsTest::play);
  }

  private enum Move {
    DEPART_A,
    LAND_A,
    DEPART_B,
    LAND_B,
    PURGE_HARD,
    PURGE_SOFT,
    PURGE_OTHER
  }

  private static void interleave(List<List<Move>> left, List<Move> soFar, List<List<Move>> orders) {
    if (left.stream().allMatch(List::isEmpty)) {
      orders.add(List.copyOf(soFar));
      return;
    }
    for (int i = 0; i < left.size(); i++) {
      List<Move> one = left.get(i);
      if (!one.isEmpty()) {
        List<List<Move>> rest = new ArrayList<>(left);
        rest.set(i, one.subList(1, one.size()));
        soFar.add(one.get(0));
        interleave(rest, soFar, orders);
        soFar.remove(soFar.size() - 1);
      }
    }
  }

  /** After each move: what is found was asked for behind the last purge, or bears its mark. */
  private static void play(List<Move> order) {
    var cache = new ResponseCache(100_000, Runnable::run);
    int hard = order.indexOf(Move.PURGE_HARD);
    int soft = order.indexOf(Move.PURGE_SOFT);
    Map<Move, Long> noted = new HashMap<>();
    Map<StoredResponse, Integer> departed = new HashMap<>();
    @Nullable StoredResponse expected = null;
    for (int at = 0; at < order.size(); at++) {
      Move move = order.get(at);
      switch (move) {
        case DEPART_A, DEPART_B -> noted.put(move, cache.purgeNumber());
        case LAND_A, LAND_B -> {
          Move departure = move == Move.LAND_A ? Move.DEPART_A : Move.DEPART_B;
          int from = order.indexOf(departure);
          StoredResponse entry = land(cache);
          departed.put(entry, from);
          boolean outrun = (from < hard && hard < at) || (from < soft && soft < at);
          assertThat(cache.put(entry, noted.getOrDefault(departure, -1L)))
              .as("%s", order)
              .isEqualTo(!outrun);
          expected = outrun ? expected : entry;
        }
        case PURGE_HARD -> {
          cache.purge(new PurgeSelector.Tag("t"), false);
          expected = null;
        }
        case PURGE_SOFT -> cache.purge(new PurgeSelector.Prefix("/p"), true);
        case PURGE_OTHER -> cache.purge(new PurgeSelector.Path("/page/x"), false);
      }
      StoredResponse found = cache.find(Entries.key("/page"));
      assertThat(found).as("%s at %s", order, move).isSameAs(expected);
      if (found != null) {
        found.body().unpin();
        assertThat(found.isSoftlyPurged())
            .isEqualTo(soft <= at && departed.getOrDefault(found, -1) < soft);
      }
    }
    cache.purge(new PurgeSelector.All(), false);
    assertThat(cache.account().used()).isZero();
  }

  private static StoredResponse land(ResponseCache cache) {
    assertThat(cache.reserve(Entries.charge(Entries.key("/page"), 10))).isNull();
    return Entries.of(cache, "/page", new byte[10], "t");
  }

  /** A store, the flights on their way into it, the readers of it, and what must be true. */
  private static final class World {

    private record Departed(String path, String variant, long noted) {}

    private record Stored(StoredResponse entry, byte[] bytes) {}

    private final Random random;
    private final ArrayDeque<Runnable> maintenance = new ArrayDeque<>();
    private final ResponseCache cache;
    private final int paths;
    private final List<Departed> flights = new ArrayList<>();
    private final List<Stored> made = new ArrayList<>();
    private final Map<CacheKey, Stored> expected = new HashMap<>();
    private final List<Stored> pinned = new ArrayList<>();

    World(long seed, int maxMemory, int paths) {
      this.random = new Random(seed);
      this.cache = new ResponseCache(maxMemory, maintenance::add);
      this.paths = paths;
    }

    void step() {
      switch (random.nextInt(11)) {
        case 0, 1 -> depart();
        case 2, 3 -> land();
        case 4, 5 -> find();
        case 6 -> unpin();
        case 7, 8 -> maintain();
        case 9 -> confirm();
        default -> rarely();
      }
    }

    private void rarely() {
      switch (random.nextInt(6)) {
        case 0 -> purge(new PurgeSelector.Path(anyPath()));
        case 1 -> purge(new PurgeSelector.Prefix("/" + random.nextInt(10)));
        case 2 -> purge(new PurgeSelector.Tag(anyTag()));
        case 3 -> {
          if (random.nextInt(10) == 0) {
            purge(new PurgeSelector.All());
          }
        }
        default -> remove();
      }
    }

    private String anyPath() {
      return "/" + random.nextInt(paths);
    }

    private String anyTag() {
      return "tag" + random.nextInt(5);
    }

    private void depart() {
      flights.add(new Departed(anyPath(), "" + random.nextInt(3), cache.purgeNumber()));
    }

    private void land() {
      if (flights.isEmpty()) {
        return;
      }
      Departed flight = flights.remove(random.nextInt(flights.size()));
      CacheKey primary = Entries.key(flight.path());
      CacheKey key =
          flight.variant().equals("0") ? primary : Entries.key(flight.path() + flight.variant());
      byte[] bytes = new byte[random.nextInt(6000)];
      random.nextBytes(bytes);
      if (cache.reserve(Entries.charge(key, bytes.length)) != null) {
        return;
      }
      List<String> tags = random.nextBoolean() ? List.of(anyTag(), anyTag()) : List.of();
      var filing = new StoredResponse.Filing(key, primary, flight.path(), tags);
      var stored = new Stored(Entries.of(cache, filing, bytes), bytes);
      made.add(stored);
      boolean meant = purges.stream().anyMatch(purge -> purge.means(filing, flight.noted()));
      assertThat(cache.put(stored.entry(), flight.noted())).isEqualTo(!meant);
      if (!meant) {
        expected.put(key, stored);
      }
    }

    /** One that was stored, and may be gone, is confirmed: with another tag and a longer head. */
    private void confirm() {
      if (made.isEmpty() || flights.isEmpty()) {
        return;
      }
      Stored old = made.get(random.nextInt(made.size()));
      StoredResponse was = old.entry();
      if (!was.body().tryPin()) {
        return;
      }
      if (cache.reserveMore(was.body(), was.body().charged() + random.nextInt(50)) != null) {
        was.body().unpin();
        return;
      }
      StoredResponse.Filing filed = was.filing();
      var filing =
          new StoredResponse.Filing(filed.key(), filed.primary(), filed.path(), List.of(anyTag()));
      var entry =
          new StoredResponse(
              filing, was.encodedHead(), was.body(), was.lifetime(), 0, was.received());
      var renewed = new Stored(entry, old.bytes());
      made.add(renewed);
      long noted = flights.get(random.nextInt(flights.size())).noted();
      boolean meant =
          purges.stream().anyMatch(one -> one.means(filed, noted) || one.means(filing, noted));
      boolean kept = cache.look(filed.key()) == was && !meant;
      assertThat(cache.replace(was, entry, noted)).isEqualTo(kept);
      if (kept) {
        expected.put(filed.key(), renewed);
      }
    }

    private record Purge(PurgeSelector selector, long number) {
      boolean means(StoredResponse.Filing filing, long noted) {
        return number > noted && selector.matches(filing.path(), filing.tags());
      }
    }

    private final List<Purge> purges = new ArrayList<>();

    private void purge(PurgeSelector selector) {
      boolean soft = random.nextBoolean();
      ResponseCache.Purged done = cache.purge(selector, soft);
      purges.add(new Purge(selector, done.number()));
      assertThat(done.number()).isEqualTo(purges.size());
      if (!soft) {
        expected
            .values()
            .removeIf(
                stored ->
                    selector.matches(
                        stored.entry().filing().path(), stored.entry().filing().tags()));
      } else {
        for (Stored stored : expected.values()) {
          StoredResponse.Filing filing = stored.entry().filing();
          if (selector.matches(filing.path(), filing.tags()) && cached(stored)) {
            assertThat(stored.entry().isSoftlyPurged()).isTrue();
            assertThat(stored.entry().standing(0)).isEqualTo(StoredResponse.Standing.IF_ERROR);
          }
        }
      }
    }

    private boolean cached(Stored stored) {
      StoredResponse found = cache.find(stored.entry().filing().key());
      if (found != null) {
        found.body().unpin();
      }
      return found == stored.entry();
    }

    private void find() {
      CacheKey key = Entries.key(anyPath() + (random.nextBoolean() ? "" : random.nextInt(3)));
      StoredResponse found = cache.find(key);
      if (found != null) {
        Stored must = expected.get(key);
        if (must == null || must.entry() != found) {
          throw new AssertionError("what was taken out, or replaced, was found");
        }
        pinned.add(must);
      }
    }

    private void remove() {
      if (!made.isEmpty()) {
        Stored one = made.get(random.nextInt(made.size()));
        cache.remove(one.entry());
        expected.remove(one.entry().filing().key(), one);
      }
    }

    private void unpin() {
      if (!pinned.isEmpty()) {
        Stored one = pinned.remove(random.nextInt(pinned.size()));
        ByteBuf whole = one.entry().body().whole();
        byte[] read = new byte[whole.readableBytes()];
        whole.readBytes(read);
        whole.release();
        assertThat(read).as("a pin keeps the bytes").isEqualTo(one.bytes());
        one.entry().body().unpin();
      }
    }

    private void maintain() {
      Runnable task = maintenance.poll();
      if (task != null) {
        task.run();
      }
    }

    void assertAccount() {
      long held =
          made.stream()
              .map(stored -> stored.entry().body())
              .distinct()
              .filter(body -> body.holders() > 0)
              .mapToLong(body -> body.charged())
              .sum();
      assertThat(cache.account().used()).isEqualTo(held).isLessThanOrEqualTo(cache.account().max());
    }

    void assertEmptiesToNothing() {
      cache.purge(new PurgeSelector.All(), false);
      while (!maintenance.isEmpty()) {
        maintain();
      }
      while (!pinned.isEmpty()) {
        unpin();
      }
      assertAccount();
      assertThat(cache.account().used()).isZero();
      assertThat(cache.occupancy().entries()).isZero();
      assertThat(cache.occupancy().pinnedBytes()).isZero();
      for (int i = 0; i < paths; i++) {
        assertThat(cache.hasRoomFor(Entries.key("/" + i), 1)).isTrue();
      }
    }
  }
}
