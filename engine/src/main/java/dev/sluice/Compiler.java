package dev.sluice;

import dev.sluice.config.Settings;
import dev.sluice.governor.Generation;
import dev.sluice.governor.classify.Classifier;
import dev.sluice.governor.classify.Framework;
import dev.sluice.governor.classify.InternalFields;
import dev.sluice.governor.deliver.BusyPage;
import dev.sluice.governor.deliver.Delivery;
import dev.sluice.governor.deliver.JourneyLines;
import dev.sluice.governor.deliver.SyntheticReplies;
import dev.sluice.governor.fetch.OriginRequest;
import dev.sluice.governor.reuse.KeyRecipe;
import dev.sluice.governor.reuse.cache.CacheSettings;
import dev.sluice.http.NameSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** Makes a generation of a configuration. Stateless. */
final class Compiler {

  /** Draws from the calling thread's own generator, so that loops do not share one. */
  private static final RandomGenerator RANDOM = () -> ThreadLocalRandom.current().nextLong();

  private Compiler() {}

  static Generation compile(Settings settings, long number) throws IOException {
    boolean next = settings.classify().framework() == Framework.NEXTJS;
    String page = settings.deliver().busyPageFile();
    BusyPage busyPage =
        page == null || page.isEmpty()
            ? BusyPage.builtIn()
            : BusyPage.of(Files.readString(Path.of(page)));
    return new Generation(
        number,
        settings.classify(),
        settings.admit(),
        settings.fetch(),
        settings.deliver(),
        settings.wire(),
        settings.reuse(),
        settings.spool(),
        new Classifier(settings.classify()),
        new KeyRecipe(settings.reuse(), settings.classify()),
        new OriginRequest(settings.fetch().via(), next ? InternalFields.names() : NameSet.EMPTY),
        new SyntheticReplies(settings.deliver(), busyPage, RANDOM),
        new Delivery(
            unexposed(settings.reuse().cache(), next),
            new JourneyLines(settings.deliver().debugHeaders())));
  }

  /** DEC-12: what is between the origin and us. */
  private static NameSet unexposed(CacheSettings cache, boolean next) {
    List<String> names = new ArrayList<>();
    if (next) {
      names.addAll(InternalFields.LEAKED);
    }
    // NXT-26: the framework's own field may be the one with the tags.
    names.removeIf(cache.tagHeader()::equalsIgnoreCase);
    if (!cache.exposeTags()) {
      names.add(cache.tagHeader());
    }
    return names.isEmpty() ? NameSet.EMPTY : NameSet.of(names, List.of());
  }
}
