package dev.sluice.cli;

import dev.sluice.admin.AdminSettings;
import dev.sluice.config.Settings;
import dev.sluice.net.DrainSettings;
import dev.sluice.net.NetSettings;
import dev.sluice.observe.LogSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The same settings on ports that the kernel chooses, so that a running instance is not touched.
 */
final class Trial {

  private static final Set<String> NO_FILES = Set.of("", "none", "stdout");

  private Trial() {}

  /**
   * Proves that the access log and the pid file can be written, without making or changing one.
   *
   * @throws IOException that names the one that cannot
   */
  static void openFiles(Settings settings) throws IOException {
    for (String name : List.of(settings.log().access(), settings.drain().pidFile())) {
      if (!NO_FILES.contains(name)) {
        openFile(Path.of(name).toAbsolutePath());
      }
    }
  }

  private static void openFile(Path file) throws IOException {
    Path folder = file.getParent();
    boolean possible =
        Files.exists(file)
            ? !Files.isDirectory(file) && Files.isWritable(file)
            : folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
    if (!possible) {
      throw new IOException(file + " cannot be written");
    }
  }

  static Settings onFreePorts(Settings settings) {
    NetSettings net = settings.net();
    return new Settings(
        new NetSettings(
            free(net.listen()),
            freeOrNone(net.tlsListen()),
            net.proxyProtocol(),
            net.eventLoops(),
            net.balance(),
            net.transport(),
            net.maxConnections()),
        settings.tls(),
        new DrainSettings(Duration.ZERO, Duration.ZERO, ""),
        settings.wire(),
        settings.classify(),
        settings.admit(),
        settings.fetch(),
        settings.deliver(),
        settings.reuse(),
        settings.spool(),
        settings.application().without(),
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
