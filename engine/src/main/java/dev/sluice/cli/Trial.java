package dev.sluice.cli;

import dev.sluice.admin.AdminSettings;
import dev.sluice.config.Settings;
import dev.sluice.net.DrainSettings;
import dev.sluice.net.NetSettings;
import dev.sluice.observe.LogSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The same settings on ports that the kernel chooses, so that a running instance is not touched.
 */
final class Trial {

  private Trial() {}

  static Settings onFreePorts(Settings settings) {
    NetSettings net = settings.net();
    return new Settings(
        new NetSettings(
            free(net.listen()),
            net.eventLoops(),
            net.balance(),
            net.transport(),
            net.maxConnections()),
        new DrainSettings(Duration.ZERO, Duration.ZERO, ""),
        settings.wire(),
        settings.classify(),
        settings.admit(),
        settings.fetch(),
        settings.deliver(),
        settings.reuse(),
        settings.spool(),
        new AdminSettings(
            freeOrNone(settings.admin().admin()), freeOrNone(settings.admin().prometheus())),
        new LogSettings(settings.log().level(), "none"),
        settings.fingerprint());
  }

  private static NetSettings.Address free(NetSettings.Address address) {
    return new NetSettings.Address(address.host(), 0);
  }

  private static NetSettings.@Nullable Address freeOrNone(NetSettings.@Nullable Address address) {
    return address == null ? null : free(address);
  }
}
