package dev.sluice.config;

import dev.sluice.admin.AdminSettings;
import dev.sluice.application.ApplicationSettings;
import dev.sluice.flow.SpoolSettings;
import dev.sluice.governor.admit.AdmitSettings;
import dev.sluice.governor.classify.ClassifySettings;
import dev.sluice.governor.deliver.DeliverSettings;
import dev.sluice.governor.fetch.FetchSettings;
import dev.sluice.governor.reuse.ReuseSettings;
import dev.sluice.net.DrainSettings;
import dev.sluice.net.NetSettings;
import dev.sluice.net.tls.ServerTlsSettings;
import dev.sluice.observe.LogSettings;
import dev.sluice.wire.WireSettings;
import org.jspecify.annotations.Nullable;

/**
 * One configuration, parsed and validated. Immutable.
 *
 * @param tls what the TLS listener presents; null = there is none
 * @param fingerprint of the values in force: equal files, equal fingerprints on every instance
 */
public record Settings(
    NetSettings net,
    @Nullable ServerTlsSettings tls,
    DrainSettings drain,
    WireSettings wire,
    ClassifySettings classify,
    AdmitSettings admit,
    FetchSettings fetch,
    DeliverSettings deliver,
    ReuseSettings reuse,
    SpoolSettings spool,
    ApplicationSettings application,
    AdminSettings admin,
    LogSettings log,
    String fingerprint) {}
