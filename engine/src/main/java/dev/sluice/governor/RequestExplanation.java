package dev.sluice.governor;

import dev.sluice.flow.SpoolSettings;
import dev.sluice.governor.admit.AdmitSettings;
import dev.sluice.governor.classify.Classification;
import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.governor.classify.Classifier;
import dev.sluice.governor.classify.ClassifySettings;
import dev.sluice.governor.classify.Explanation;
import dev.sluice.governor.reuse.KeyExplanation;
import dev.sluice.governor.reuse.KeyRecipe;
import dev.sluice.governor.reuse.KeyWriter;
import dev.sluice.governor.reuse.ReuseSettings;
import dev.sluice.governor.reuse.Selection;
import dev.sluice.governor.reuse.VaryNamesInForce;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one configuration makes of a request, and of an answer to it, in words (BEY-07). Immutable.
 */
public final class RequestExplanation {

  /**
   * What was said, and what it rests on.
   *
   * @param lines one fact each
   * @param classified null where the request goes no further
   * @param selection null likewise
   */
  record Said(List<String> lines, @Nullable Classified classified, @Nullable Selection selection) {}

  private final Classifier classifier;
  private final KeyRecipe keys;
  private final AdmitSettings admit;
  private final AnswerExplanation answers;

  public RequestExplanation(
      ClassifySettings classify, AdmitSettings admit, ReuseSettings reuse, SpoolSettings spool) {
    this(
        new Classifier(classify),
        new KeyRecipe(reuse, classify),
        admit,
        new AnswerExplanation(reuse, spool));
  }

  private RequestExplanation(
      Classifier classifier, KeyRecipe keys, AdmitSettings admit, AnswerExplanation answers) {
    this.classifier = classifier;
    this.keys = keys;
    this.admit = admit;
    this.answers = answers;
  }

  /** The one of a generation. */
  static RequestExplanation of(Generation generation) {
    return new RequestExplanation(
        generation.classifier(),
        generation.keys(),
        generation.admit(),
        new AnswerExplanation(generation.reuse(), generation.spool()));
  }

  /**
   * The lines for {@code supposed}, each {@code name: value}, with nothing known but the
   * configuration.
   *
   * @param nowMillis since 1970, when the answer is supposed to come
   */
  public List<String> of(Supposed.Case supposed, long nowMillis) {
    return of(supposed, VaryNamesInForce.NOTHING, nowMillis).lines();
  }

  Said of(Supposed.Case supposed, VaryNamesInForce names, long nowMillis) {
    Classification classification = classifier.classify(supposed.request());
    var lines = new ArrayList<>(Explanation.of(classification));
    if (!(classification instanceof Classified classified)) {
      return new Said(lines, null, null);
    }
    Selection selection =
        keys.select(supposed.request(), supposed.scheme(), classified, names, new KeyWriter());
    lines.addAll(KeyExplanation.of(selection));
    lines.addAll(LimitLines.of(admit, classified));
    if (supposed.answer() != null) {
      lines.addAll(answers.of(classified, selection, supposed.answer(), nowMillis));
    }
    return new Said(lines, classified, selection);
  }
}
