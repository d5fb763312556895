package dev.sluice.admin;

import dev.sluice.net.NetSettings.Address;
import org.jspecify.annotations.Nullable;

/**
 * {@code telemetry.admin} and {@code telemetry.prometheus}. Immutable; null = not opened.
 *
 * @param prometheus where set, {@code /metrics} is served there and not on the admin listener
 */
public record AdminSettings(@Nullable Address admin, @Nullable Address prometheus) {}
