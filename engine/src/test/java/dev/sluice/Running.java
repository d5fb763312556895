package dev.sluice;

import dev.sluice.config.Machine;
import dev.sluice.config.SettingsReader;
import dev.sluice.config.SettingsResult;
import dev.sluice.config.Strictness;
import dev.sluice.net.BindFailure;
import java.io.IOException;
import java.util.Map;

/** Starts a real proxy in this JVM for tests that speak to it through sockets. */
final class Running {

  private Running() {}

  /** A proxy before {@code originPort}; {@code more} are further lines of its file. */
  static Sluice before(int originPort, String more) throws BindFailure, IOException {
    String text =
        """
        version: 1
        server: { listen: "127.0.0.1:0", event_loops: 1, graceful: { drain_period: 0s } }
        origin: { upstreams: ["127.0.0.1:%d"] }
        telemetry: { admin: { listen: "127.0.0.1:0" }, logging: { access: none } }
        %s"""
            .formatted(originPort, more);
    SettingsResult result =
        new SettingsReader(Map.of(), Machine.detect(), Strictness.RUN).read("test", text);
    if (result instanceof SettingsResult.Accepted accepted) {
      return Sluice.start(accepted.settings());
    }
    throw new AssertionError(result);
  }
}
