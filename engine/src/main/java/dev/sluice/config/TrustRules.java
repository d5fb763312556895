package dev.sluice.config;

import dev.sluice.net.IpNetwork;
import dev.sluice.net.tls.CertifiedKey;
import dev.sluice.net.tls.PemFault;
import dev.sluice.net.tls.PemFile;
import dev.sluice.time.WallClock;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Who is believed: certificates and keys that do not serve, proxies whose word nobody asks for
 * (PRX-07, PRX-20, ORG-29, CFG-07). Reads the files that the settings name. Stateless.
 */
final class TrustRules {

  private static final String CERT = "server.tls.cert";
  private static final String KEY = "server.tls.key";
  private static final String CA = "origin.tls.ca";
  private static final String VERIFY = "origin.tls.verify_cert";
  private static final String HOSTNAME = "origin.tls.verify_hostname";
  private static final String PROXIES = "server.trusted_proxies";
  private static final String FROM = PROXIES + ".from";
  private static final String PROXY_PROTOCOL = "server.proxy_protocol";
  private static final Duration SOON = Duration.ofDays(14);

  private final Values values;
  private final Problems problems;
  private final Instant now;

  TrustRules(Values values, Problems problems, WallClock clock) {
    this.values = values;
    this.problems = problems;
    this.now = Instant.ofEpochMilli(clock.epochMillis());
  }

  void check() {
    certificate();
    originRoots();
    originVerification();
    proxies();
    proxyProtocol();
  }

  private void certificate() {
    List<X509Certificate> chain = values.sound(CERT) ? certificates(CERT) : List.of();
    PrivateKey key = null;
    if (values.sound(KEY)) {
      try {
        key = PemFile.key(path(KEY));
      } catch (PemFault fault) {
        error(KEY, fault);
      }
    }
    if (chain.isEmpty()) {
      return;
    }
    validity(CERT, chain.get(0), "get a new one, as from your ACME client");
    if (key != null) {
      try {
        new CertifiedKey(chain, key).checkMatch(values.text(CERT), values.text(KEY));
      } catch (PemFault fault) {
        error(KEY, fault);
      }
    }
  }

  private void validity(String at, X509Certificate certificate, String remedy) {
    String wrong = CertifiedKey.validity(certificate, now);
    Instant end = certificate.getNotAfter().toInstant();
    if (!wrong.isEmpty()) {
      problems.error(
          values.spot(at), at, "the certificate in " + values.text(at) + " " + wrong, remedy);
    } else if (end.isBefore(now.plus(SOON))) {
      problems.warn(
          values.spot(at),
          at,
          "the certificate in " + values.text(at) + " ends soon, on " + end,
          "renew it, then send SIGHUP: no connection is dropped");
    }
  }

  private List<X509Certificate> certificates(String key) {
    try {
      return PemFile.certificates(path(key));
    } catch (PemFault fault) {
      error(key, fault);
      return List.of();
    }
  }

  private void originRoots() {
    if (values.sound(CA) && !values.text(CA).isEmpty()) {
      certificates(CA);
    }
  }

  private void originVerification() {
    if (!values.written("origin.tls") || !values.sound(VERIFY) || values.flag(VERIFY)) {
      if (values.sound(HOSTNAME) && !values.flag(HOSTNAME)) {
        problems.warn(
            values.spot(HOSTNAME),
            HOSTNAME,
            "false: whoever has any certificate of the roots can pose as the origin",
            "name in origin.tls.sni what is in the origin's certificate");
      }
      return;
    }
    if (values.sound(CA) && !values.text(CA).isEmpty()) {
      problems.error(
          values.spot(CA),
          CA,
          values.shown(CA) + " has no effect: " + VERIFY + " is false",
          "leave one of the two out");
    }
    problems.warn(
        values.spot(VERIFY),
        VERIFY,
        "false: whoever sits between can pose as the origin, and no name is verified either",
        "name the origin's own certificate in " + CA + " instead");
  }

  private void proxies() {
    if (!values.sound(FROM)) {
      return;
    }
    if (values.list(FROM, IpNetwork.class).isEmpty()) {
      problems.error(
          values.spot(FROM),
          FROM,
          "[] believes nobody (expected: at least one network)",
          "name your proxies, or leave the section out");
    }
    boolean silent = isNone(".client_ip") && isNone(".scheme");
    if (silent && values.sound(PROXY_PROTOCOL) && !values.flag(PROXY_PROTOCOL)) {
      problems.error(
          values.spot(PROXIES),
          PROXIES,
          "has no effect: client_ip and scheme are none, and " + PROXY_PROTOCOL + " is false",
          "leave the section out, or say what is believed");
    }
  }

  private boolean isNone(String key) {
    return values.sound(PROXIES + key) && values.text(PROXIES + key).equals("none");
  }

  private void proxyProtocol() {
    if (values.sound(PROXY_PROTOCOL) && values.flag(PROXY_PROTOCOL) && !values.written(PROXIES)) {
      problems.error(
          values.spot(PROXY_PROTOCOL),
          PROXY_PROTOCOL,
          "true without " + PROXIES + ": nobody may send the header, so nobody is served",
          "name the balancers in " + FROM);
    }
  }

  private Path path(String key) {
    return Path.of(values.text(key));
  }

  private void error(String key, PemFault fault) {
    problems.error(values.spot(key), key, String.valueOf(fault.getMessage()), fault.remedy());
  }
}
