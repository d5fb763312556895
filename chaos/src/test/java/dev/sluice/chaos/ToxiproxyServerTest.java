package dev.sluice.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ToxiproxyServerTest {

  @Test
  void image_thatCannotBePulled_leavesTheEmbeddedServer() {
    ToxiproxyServer chosen =
        ToxiproxyServer.elseEmbedded(
            () -> {
              throw new IllegalStateException("Can't get Docker image\nand why");
            });
    assertThat(chosen.kind()).isEqualTo(ToxiproxyServer.Kind.EMBEDDED);
    assertThat(new RawApi(chosen.url()).get("/version").status()).isEqualTo(200);
  }
}
