package dev.sluice.governor;

import dev.sluice.flow.SpoolSettings;
import dev.sluice.governor.admit.AdmitSettings;
import dev.sluice.governor.classify.Classifier;
import dev.sluice.governor.classify.ClassifySettings;
import dev.sluice.governor.deliver.DeliverSettings;
import dev.sluice.governor.deliver.Delivery;
import dev.sluice.governor.deliver.SyntheticReplies;
import dev.sluice.governor.fetch.FetchSettings;
import dev.sluice.governor.fetch.OriginRequest;
import dev.sluice.governor.reuse.KeyRecipe;
import dev.sluice.governor.reuse.ReuseSettings;
import dev.sluice.wire.WireSettings;

/**
 * One configuration, compiled. An exchange keeps the generation that its head met; a reload is a
 * new one (DEC-36). Immutable.
 *
 * @param number 1 at start, one more with each reload
 */
public record Generation(
    long number,
    ClassifySettings classify,
    AdmitSettings admit,
    FetchSettings fetch,
    DeliverSettings deliver,
    WireSettings wire,
    ReuseSettings reuse,
    SpoolSettings spool,
    Classifier classifier,
    KeyRecipe keys,
    OriginRequest originRequest,
    SyntheticReplies replies,
    Delivery delivery) {}
