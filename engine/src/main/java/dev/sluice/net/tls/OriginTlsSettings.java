package dev.sluice.net.tls;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * {@code origin.tls} (ORG-28 to ORG-30). Immutable.
 *
 * @param sni the name that is asked for and verified
 * @param ca PEM file of the roots; null = the platform's
 * @param verifyHostname without {@code verifyCert} there is nothing to find the name in
 */
public record OriginTlsSettings(
    String sni, @Nullable Path ca, boolean verifyCert, boolean verifyHostname) {}
