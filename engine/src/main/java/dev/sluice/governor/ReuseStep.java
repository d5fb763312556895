package dev.sluice.governor;

import dev.sluice.flow.SpoolSettings;
import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.judge.Asked;
import dev.sluice.governor.judge.Rights;
import dev.sluice.governor.reuse.KeyRecipe;
import dev.sluice.governor.reuse.KeyWriter;
import dev.sluice.governor.reuse.ReuseSettings;
import dev.sluice.governor.reuse.Selection;
import dev.sluice.governor.reuse.Selection.Keyed;
import dev.sluice.governor.reuse.SharedRequest;
import dev.sluice.governor.reuse.SharedRequest.Validators;
import dev.sluice.governor.reuse.cache.CacheKey;
import dev.sluice.governor.reuse.cache.ResponseCache;
import dev.sluice.governor.reuse.cache.StoredResponse;
import dev.sluice.governor.reuse.cache.StoredResponse.Received;
import dev.sluice.governor.reuse.cache.StoredResponse.Standing;
import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.caching.CacheControl;
import dev.sluice.http.caching.Invalidation;
import dev.sluice.http.caching.VaryNames;
import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Reuse;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One loop's way to answers that exist or are on their way: it finds them, opens flights for those
 * that do not, and takes note of what answers taught. Under one generation; confined to its loop.
 */
final class ReuseStep {

  private final FlightContext context;
  private final GovernorContext governor;
  private final Keeper keeper;
  private final Purger purger;
  private final KeyWriter writer = new KeyWriter();

  ReuseStep(FlightContext context, GovernorContext governor) {
    this.context = context;
    this.governor = governor;
    this.keeper = new Keeper(context, governor.cache());
    this.purger = new Purger(governor);
  }

  private Generation generation() {
    return context.generation();
  }

  Keeper keeper() {
    return keeper;
  }

  ResponseCache cache() {
    return governor.cache();
  }

  // Seeking.

  /** Looks for an answer and tells {@code seeker} how to go on. */
  void seek(Classified known, Seeker seeker) {
    Selection selection = select(seeker.request(), seeker.peer().scheme(), known);
    if (selection instanceof Keyed keyed) {
      seeker.timeline().mayShare();
      lookUp(known, keyed, seeker);
    } else {
      seeker.goAlone(((Selection.Alone) selection).reason(), null);
    }
  }

  private void lookUp(Classified known, Keyed keyed, Seeker seeker) {
    StoredResponse entry = find(keyed);
    if (entry == null) {
      miss(known, keyed, null, seeker);
      return;
    }
    switch (standing(entry, seeker.request())) {
      case FRESH -> seeker.serve(entry, Reuse.HIT);
      case REVALIDATE -> {
        refresh(known, keyed, entry);
        seeker.serve(entry, Reuse.STALE);
      }
      case IF_ERROR, EXPIRED -> miss(known, keyed, entry, seeker);
    }
  }

  /** {@code stale}, if there is one, is pinned here; it goes with the flight or is let go. */
  private void miss(Classified known, Keyed keyed, @Nullable StoredResponse stale, Seeker seeker) {
    Flight underway = underway(keyed);
    BypassReason alone = whyAlone(keyed, underway, seeker);
    if (alone == null && underway == null) {
      lead(known, keyed, stale, seeker);
      return;
    }
    if (alone != null) {
      seeker.goAlone(alone, stale);
      return;
    }
    if (stale != null) {
      stale.body().unpin();
    }
    if (underway != null) {
      seeker.follow(underway);
    }
  }

  private @Nullable BypassReason whyAlone(Keyed keyed, @Nullable Flight underway, Seeker seeker) {
    if (!seeker.mayBoard()) {
      return BypassReason.BOARDED_BEFORE;
    }
    if (forbidsStore(seeker.request().headers())) {
      return BypassReason.CLIENT_NO_STORE;
    }
    BypassReason partial = keyed.aloneUnlessStored();
    boolean headFirst = keyed.isHead() && underway == null;
    return partial == null && headFirst ? BypassReason.HEAD_FIRST : partial;
  }

  private void lead(Classified known, Keyed keyed, @Nullable StoredResponse stale, Seeker seeker) {
    Flight mine = flight(known, keyed, stale, seeker);
    Flight other = open(mine);
    if (other != null && sharesAlike(other, keyed)) {
      mine.dismiss();
      seeker.follow(other);
      return;
    }
    StoredResponse landed = findFresh(keyed, seeker.request());
    if (landed != null) {
      mine.dismiss();
      seeker.serve(landed, Reuse.HIT);
      return;
    }
    seeker.lead(mine);
  }

  // Finding.

  /** Whether the request may share, and under which key. */
  private Selection select(RequestHead request, String scheme, Classified known) {
    return generation().keys().select(request, scheme, known, governor.varied(), writer);
  }

  /** The stored answer, pinned, if the route as it is now would have stored it; else null. */
  private @Nullable StoredResponse find(Keyed keyed) {
    if (!keyed.route().share().cache().enabled()) {
      return null;
    }
    StoredResponse entry = governor.cache().find(keyed.key());
    if (entry != null && !Rights.areGrantedBy(entry.rights(), keyed.route().share())) {
      governor.cache().remove(entry);
      entry.body().unpin();
      return null;
    }
    return entry;
  }

  /** One that came while nobody looked, pinned and fresh for this client; else null. */
  private @Nullable StoredResponse findFresh(Keyed keyed, RequestHead request) {
    StoredResponse entry = find(keyed);
    if (entry != null && standing(entry, request) != Standing.FRESH) {
      entry.body().unpin();
      return null;
    }
    return entry;
  }

  long ageMillis(StoredResponse entry) {
    return entry.ageMillis(context.now(), governor.clocks().suspension().millis());
  }

  /** What may be done with {@code entry} now. */
  Standing standing(StoredResponse entry) {
    return entry.standing(ageMillis(entry));
  }

  /** The same for this client, who may insist on more (DEC-17). */
  private Standing standing(StoredResponse entry, RequestHead request) {
    Standing standing = standing(entry);
    boolean insists = hearsClients() && asksPastStore(request.headers());
    return insists && standing != Standing.EXPIRED ? Standing.IF_ERROR : standing;
  }

  private boolean hearsClients() {
    return generation().reuse().cache().honorClientNoCache();
  }

  /** RFC 9111 5.2.1.5: neither the request nor any answer to it is to be kept. */
  private boolean forbidsStore(Headers headers) {
    return hearsClients()
        && headers.has(FieldName.CACHE_CONTROL)
        && CacheControl.of(headers, FieldName.CACHE_CONTROL).noStore();
  }

  private static boolean asksPastStore(Headers headers) {
    if (headers.has(FieldName.CACHE_CONTROL)) {
      CacheControl asked = CacheControl.of(headers, FieldName.CACHE_CONTROL);
      return asked.noCache() || asked.noStore() || asked.maxAge() == 0;
    }
    return "no-cache".equalsIgnoreCase(headers.first(FieldName.PRAGMA));
  }

  // Flights.

  /**
   * The open flight of this key, or null. One whose answer another policy judges takes nobody any
   * more: a reload may have withdrawn what it shares by (DEC-36).
   */
  private @Nullable Flight underway(Keyed keyed) {
    if (!keyed.route().share().coalesce()) {
      return null;
    }
    Flight open = governor.flights().find(keyed.key());
    if (open == null || sharesAlike(open, keyed)) {
      return open;
    }
    governor.flights().close(keyed.key(), open);
    return null;
  }

  private static boolean sharesAlike(Flight open, Keyed keyed) {
    return open.sharedErrand().selection().route().share().equals(keyed.route().share());
  }

  /** Whether nobody is to wait behind another of this key (DEC-44). */
  private boolean isRemembered(Keyed keyed) {
    return governor.unshareable().isRemembered(keyed.key());
  }

  /**
   * A flight that others may board unless the key proved unshareable or the route does not
   * coalesce.
   *
   * @param stale what to ask about or to fall back on; pinned, and the flight's from now on
   */
  private Flight flight(
      Classified known, Keyed keyed, @Nullable StoredResponse stale, Seeker seeker) {
    RequestHead asked = SharedRequest.ofLead(keyed, validators(stale));
    var errand =
        new SharedErrand(
            known,
            keyed,
            generation().originRequest().of(asked, known.effectiveClass(), seeker.peer()),
            Asked.of(known, asked, keyed.isWhole()),
            stale,
            keyed.route().share().coalesce() && !isRemembered(keyed),
            false);
    return new Flight(context, errand, seeker.timeline());
  }

  /** Opens {@code mine} for boarding; returns the one that is open already, or null. */
  private @Nullable Flight open(Flight mine) {
    SharedErrand errand = mine.sharedErrand();
    return errand.boards() ? governor.flights().openUnlessOpen(errand.key(), mine) : null;
  }

  void close(SharedErrand errand, Flight flight) {
    governor.flights().close(errand.key(), flight);
  }

  private static Validators validators(@Nullable StoredResponse stale) {
    if (stale == null) {
      return Validators.NONE;
    }
    Headers fields = stale.plainHead().headers();
    return new Validators(fields.first(FieldName.ETAG), fields.first(FieldName.LAST_MODIFIED));
  }

  // Refreshing.

  /** Asks about {@code entry} behind the answer that it gives, if nobody does already (DEC-40). */
  private void refresh(Classified known, Keyed keyed, StoredResponse entry) {
    if (!entry.tryRefresh(context.now())) {
      return;
    }
    int most = Math.max(1, generation().admit().max() / 4);
    if (governor.refreshes().incrementAndGet() > most || !entry.body().tryPin()) {
      governor.refreshes().decrementAndGet();
      refreshFailed(entry);
      return;
    }
    RequestHead asked = SharedRequest.ofRefresh(keyed.key(), validators(entry));
    var errand =
        new SharedErrand(
            known,
            keyed,
            generation().originRequest().ofNobody(asked, SharedRequest.scheme(keyed.key())),
            Asked.of(known, asked, keyed.isWhole()),
            entry,
            keyed.route().share().coalesce(),
            true);
    var flight = new Flight(context, errand, null);
    if (open(flight) == null) {
      flight.departAtLeisure();
    } else {
      flight.dismiss();
    }
  }

  /** A refresh is over, well or not. */
  void refreshEnded() {
    governor.refreshes().decrementAndGet();
  }

  /** It came to nothing: the next one for this answer waits a while. */
  void refreshFailed(StoredResponse entry) {
    entry.refreshFailed(context.now(), ThreadLocalRandom.current().nextDouble(-0.2, 0.2));
  }

  // What answers teach.

  /**
   * One client's own answer came: after an unsafe request that went well, what is stored of its
   * target is out of date (RFC 9111 4.4).
   */
  void answered(Errand errand, ResponseHead head) {
    RequestHead asked = errand.request().head();
    if (errand.classified().route().share().isOn()
        && !asked.isSafe()
        && head.status() < Invalidation.FIRST_ERROR) {
      Invalidation.paths(asked, head.headers()).forEach(path -> purger.path(path, false));
    }
  }

  /** The key's answer is nobody else's; whoever comes soon goes alone (DEC-44). */
  void unshareable(SharedErrand errand) {
    governor.unshareable().remember(errand.key(), generation().reuse().coalesce().remember());
  }

  /** The key's answer may be shared after all. */
  void shareable(SharedErrand errand) {
    governor.unshareable().forget(errand.key());
  }

  /** Who with the flight's key gets an answer that varies as {@code head} says. */
  VaryMatch varied(SharedErrand errand, ResponseHead head) {
    Keyed flown = errand.selection();
    VaryNames names = VaryNames.of(head.headers());
    CacheKey key =
        switch (governor.varied().learn(flown, names.names())) {
          case COVERED -> flown.key();
          case LEARNED -> relearned(errand, flown);
          case UNSUPPORTED -> null;
        };
    if (key == null || !hasRoomFor(key, flown)) {
      return VaryMatch.NOBODY;
    }
    return key.equals(flown.key())
        ? new VaryMatch.Everyone(key)
        : new VaryMatch.SameVariant(key, request -> keyNow(errand, request));
  }

  private @Nullable CacheKey relearned(SharedErrand errand, Keyed flown) {
    return flown.isWhole()
        ? keyNow(errand, flown.head())
        : KeyRecipe.keyWithout(flown, governor.varied(), writer);
  }

  /** The key that {@code request}, which had the flight's, has with what is known by now. */
  private @Nullable CacheKey keyNow(SharedErrand errand, RequestHead request) {
    String scheme = SharedRequest.scheme(errand.key());
    return select(request, scheme, errand.classified()) instanceof Keyed keyed ? keyed.key() : null;
  }

  private boolean hasRoomFor(CacheKey key, Keyed flown) {
    CacheKey primary = flown.primary();
    return key.equals(primary)
        || governor.cache().mayKeep(key, primary, generation().reuse().cache().maxVariants());
  }

  /** When an answer came. */
  Received received() {
    return new Received(
        context.now(), context.epochMillis(), governor.clocks().suspension().millis());
  }

  /** How many bytes of an answer of this route are kept at most. */
  long keptMax(Route route) {
    return keptMax(route, generation().reuse(), generation().spool());
  }

  static long keptMax(Route route, ReuseSettings reuse, SpoolSettings spool) {
    long most = route.spool() ? spool.maxBody() : 0;
    if (route.share().cache().enabled()) {
      most = Math.max(most, reuse.cache().maxBodySize());
    }
    return route.share().coalesce() ? Math.max(most, reuse.coalesce().maxBody()) : most;
  }
}
