package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {

  private static final List<String> WORDS = List.of("concurrency", "command", "tls", "max");

  @Test
  void slip_isRecognized() {
    assertThat(Nearest.of("concurency", WORDS)).contains("concurrency");
    assertThat(Nearest.of("comamnd", WORDS)).contains("command");
    assertThat(Nearest.of("mx", WORDS)).contains("max");
  }

  @Test
  void otherWord_isNotGuessed() {
    assertThat(Nearest.of("timeout", WORDS)).isEmpty();
    assertThat(Nearest.of("x".repeat(1000), WORDS)).isEmpty();
  }
}
