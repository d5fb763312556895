package dev.sluice.governor.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.time.FakeTicker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Names of upstreams and what they mean (ORG-01, H12). A reload looks every name up again. */
class AddressesTest {

  private final Map<String, List<String>> zone = new ConcurrentHashMap<>();
  private final Thread testThread = Thread.currentThread();
  private volatile boolean lookedUpHere;
  private Upstreams upstreams = upstreams("127.0.0.1");

  @AfterEach
  void close() {
    upstreams.close();
  }

  @Test
  void org01_addressShortAndLongName_areFound() {
    zone.put("web", List.of("10.0.0.1"));
    zone.put("web.default.svc.cluster.local", List.of("10.0.0.2"));

    upstreams = upstreams("127.0.0.1", "::1", "web", "web.default.svc.cluster.local");

    assertThat(addresses(0)).containsExactly("127.0.0.1");
    assertThat(addresses(1)).containsExactly("0:0:0:0:0:0:0:1");
    assertThat(addresses(2)).containsExactly("10.0.0.1");
    assertThat(addresses(3)).containsExactly("10.0.0.2");
    assertThat(lookedUpHere).isFalse();
  }

  /** A name that ends in a digit is a name. */
  @Test
  void org01_web1_isLookedUpAgain() throws InterruptedException {
    zone.put("web1", List.of("10.0.0.1"));
    upstreams = upstreams("web1");
    zone.put("web1", List.of("10.0.0.9"));

    lookAgain("web1");

    assertThat(addresses(0)).containsExactly("10.0.0.9");
  }

  @Test
  void h12_nameThatNoLongerResolves_keepsItsAddresses() throws InterruptedException {
    zone.put("web", List.of("10.0.0.1", "10.0.0.2"));
    upstreams = upstreams("web");
    zone.remove("web");

    lookAgain("web");

    assertThat(addresses(0)).containsExactly("10.0.0.1", "10.0.0.2");
  }

  @Test
  void h12_nameThatResolvesLater_isUsedThen() throws InterruptedException {
    upstreams = upstreams("web");
    assertThat(addresses(0)).isEmpty();
    zone.put("web", List.of("10.0.0.1"));

    lookAgain("web");

    assertThat(addresses(0)).containsExactly("10.0.0.1");
  }

  private void lookAgain(String... hosts) throws InterruptedException {
    var looked = new CountDownLatch(1);
    upstreams.reload(Fetching.of(hosts).settings());
    // The resolver's thread is one: what it does next comes behind the look.
    upstreams.addresses().afterLook(looked::countDown);
    assertThat(looked.await(10, TimeUnit.SECONDS)).isTrue();
  }

  private Upstreams upstreams(String... hosts) {
    return new Upstreams(Fetching.of(hosts).settings(), new FakeTicker(), this::resolve);
  }

  private List<InetAddress> resolve(String host) throws UnknownHostException {
    List<String> found = zone.get(host);
    boolean literal = found == null && (host.indexOf(':') >= 0 || host.startsWith("127."));
    if (literal) {
      return List.of(InetAddress.getByName(host));
    }
    lookedUpHere |= Thread.currentThread() == testThread;
    if (found == null) {
      throw new UnknownHostException(host);
    }
    List<InetAddress> addresses = new java.util.ArrayList<>();
    for (String address : found) {
      addresses.add(InetAddress.getByName(address));
    }
    return addresses;
  }

  private List<String> addresses(int at) {
    return upstreams.all().get(at).addresses().stream()
        .map(InetSocketAddress::getAddress)
        .map(InetAddress::getHostAddress)
        .toList();
  }
}
