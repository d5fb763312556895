package dev.sluice.governor.fetch;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The addresses of one name (ORG-01, H12). */
class EndpointsTest {

  private static final InetSocketAddress A = new InetSocketAddress("10.0.0.1", 3000);
  private static final InetSocketAddress B = new InetSocketAddress("10.0.0.2", 3000);
  private static final InetSocketAddress C = new InetSocketAddress("10.0.0.3", 3000);

  private final Endpoints endpoints = new Endpoints();

  @Test
  void severalAddresses_areUsedInTurn() {
    endpoints.replace(List.of(A, B, C));

    assertThat(endpoints.inTurn(0)).containsExactly(A, B, C);
    assertThat(endpoints.inTurn(0)).containsExactly(B, C, A);
    assertThat(endpoints.inTurn(0)).containsExactly(C, A, B);
    assertThat(endpoints.inTurn(0)).containsExactly(A, B, C);
  }

  @Test
  void oneThatRefused_comesLastForAWhile() {
    endpoints.replace(List.of(A, B));
    endpoints.refused(A, SECONDS.toNanos(7));

    assertThat(endpoints.inTurn(SECONDS.toNanos(8))).containsExactly(B, A);
    assertThat(endpoints.inTurn(SECONDS.toNanos(9))).containsExactly(B, A);
    assertThat(endpoints.inTurn(SECONDS.toNanos(12))).containsExactly(A, B);
  }

  @Test
  void allRefused_areTriedAllTheSame() {
    endpoints.replace(List.of(A, B));
    endpoints.refused(A, 0);
    endpoints.refused(B, 0);

    assertThat(endpoints.inTurn(1)).containsExactlyInAnyOrder(A, B);
  }

  @Test
  void h12_addressThatWent_isNotItsOwnAnyMore() {
    assertThat(endpoints.replace(List.of(A, B))).isTrue();
    assertThat(endpoints.replace(List.of(B, A))).isFalse();
    assertThat(endpoints.replace(List.of(B, C))).isTrue();

    assertThat(endpoints.has(A)).isFalse();
    assertThat(endpoints.all()).containsExactly(B, C);
  }

  @Test
  void none_isEmpty() {
    assertThat(endpoints.inTurn(0)).isEmpty();
  }
}
