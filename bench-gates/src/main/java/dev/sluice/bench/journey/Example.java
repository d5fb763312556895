package dev.sluice.bench.journey;

import dev.sluice.config.Machine;
import dev.sluice.config.Settings;
import dev.sluice.config.SettingsReader;
import dev.sluice.config.SettingsResult.Accepted;
import dev.sluice.config.Strictness;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.governor.classify.Classifier;
import dev.sluice.governor.classify.SharePolicy;
import dev.sluice.governor.judge.Asked;
import dev.sluice.governor.judge.Judge;
import dev.sluice.governor.judge.Sharing;
import dev.sluice.governor.reuse.KeyRecipe;
import dev.sluice.governor.reuse.KeyWriter;
import dev.sluice.governor.reuse.Selection.Keyed;
import dev.sluice.governor.reuse.SharedRequest;
import dev.sluice.governor.reuse.SharedRequest.Validators;
import dev.sluice.governor.reuse.VaryNamesInForce;
import dev.sluice.governor.reuse.cache.ResponseCache;
import dev.sluice.governor.reuse.cache.StoredResponse;
import dev.sluice.governor.reuse.cache.StoredResponse.Filing;
import dev.sluice.governor.reuse.cache.StoredResponse.Received;
import dev.sluice.http.EncodedHead;
import dev.sluice.http.HopByHop;
import dev.sluice.http.NameSet;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.caching.Lifetime;
import dev.sluice.wire.ResponseOut;
import dev.sluice.wire.StoredHeads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The worked example of the documentation, compiled, and answers of its shop. Confined to one
 * thread.
 */
public final class Example {

  /** The route whose pages are shared. */
  public static final String PRODUCT = "/products/1234";

  /** Bytes of a page. */
  public static final int PAGE_BYTES = 16 << 10;

  private static final Lifetime AN_HOUR = new Lifetime(0, TimeUnit.HOURS.toMillis(1), 0, 0);
  private static final byte[] NOTHING_ADDED = {};

  private final Settings settings = read();
  private final Classifier classifier = new Classifier(settings.classify());
  private final KeyRecipe keys = new KeyRecipe(settings.reuse(), settings.classify());
  private final KeyWriter writer = new KeyWriter();

  private static Settings read() {
    var file = RepoRoot.path().resolve("docs/sluice.yaml");
    var reader = new SettingsReader(Map.of(), Machine.detect(), Strictness.RUN);
    try {
      if (reader.read("example", Files.readString(file)) instanceof Accepted accepted) {
        return accepted.settings();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new IllegalStateException(file + ": refused (expected: a valid example)");
  }

  /** What stands in its file. */
  public Settings settings() {
    return settings;
  }

  public Classified classify(RequestHead head) {
    if (classifier.classify(head) instanceof Classified classified) {
      return classified;
    }
    throw new IllegalArgumentException("refused: " + head + " (expected: a request that goes on)");
  }

  /** The request's key; fails where it may not share. */
  public Keyed select(RequestHead head, Classified classified) {
    var selection = keys.select(head, "http", classified, VaryNamesInForce.NOTHING, writer);
    if (selection instanceof Keyed keyed) {
      return keyed;
    }
    throw new IllegalArgumentException("alone: " + selection + " (expected: one that may share)");
  }

  /** What the judge is told of a request that was made for many. */
  public Asked asked(RequestHead head) {
    Classified classified = classify(head);
    RequestHead sent = SharedRequest.ofLead(select(head, classified), Validators.NONE);
    return Asked.of(classified, sent, false);
  }

  /** The policy of the request's route. */
  public SharePolicy policy(RequestHead head) {
    return classify(head).route().share();
  }

  /** An answer's head as the store keeps it. */
  public static EncodedHead encode(ResponseHead head) {
    return StoredHeads.encode(
        new ResponseOut(
            head,
            HopByHop.FIELDS,
            HopByHop.connectionNames(head.headers()),
            NameSet.EMPTY,
            NOTHING_ADDED),
        PAGE_BYTES);
  }

  /**
   * Keeps {@code page} for an hour as the answer to {@code request}; false where the store has no
   * room.
   */
  public boolean store(RequestHead request, EncodedHead head, Page page, ResponseCache cache) {
    Keyed keyed = select(request, classify(request));
    return store(filing(keyed), head, rights(request), page, cache);
  }

  /** By what right its page is kept. */
  public int rights(RequestHead request) {
    Sharing sharing =
        Judge.share(asked(request), Requests.rendered(""), policy(request), 1_700_000_000_000L);
    if (sharing instanceof Sharing.Kept kept) {
      return kept.rights();
    }
    throw new IllegalArgumentException("not kept: " + sharing + " (expected: one that is)");
  }

  /** What the answer to such a request is filed under. */
  public static Filing filing(Keyed keyed) {
    return new Filing(keyed.key(), keyed.primary(), keyed.head().target().path(), List.of());
  }

  /** The steps by which an answer becomes an entry. */
  public static boolean store(
      Filing filing, EncodedHead head, int rights, Page page, ResponseCache cache) {
    long charge = ResponseCache.charge(filing.key(), head.bytes().length, PAGE_BYTES);
    if (cache.reserve(charge) != null) {
      return false;
    }
    var received = new Received(System.nanoTime(), System.currentTimeMillis(), 0);
    var body = page.store(cache.account(), charge);
    var entry = new StoredResponse(filing, head, body, AN_HOUR, rights, received);
    return cache.put(entry, cache.purgeNumber());
  }
}
