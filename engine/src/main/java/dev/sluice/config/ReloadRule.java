package dev.sluice.config;

import dev.sluice.net.NetSettings.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a reload may not change, because it belongs to sockets, threads or files that are open
 * (DEC-19, DEC-21); everything else takes effect. Stateless.
 */
public final class ReloadRule {

  /** One key that changed and may not; {@code toString} is the line to log. */
  public record Refusal(String keyPath, String current, String next) {
    @Override
    public String toString() {
      return keyPath
          + ": a reload cannot change "
          + current
          + " to "
          + next
          + "; the running configuration stays; restart to change it";
    }
  }

  private record Fixed(String keyPath, Function<Settings, Object> value) {}

  private static final List<Fixed> FIXED =
      List.of(
          new Fixed("server.listen", settings -> settings.net().listen().label()),
          new Fixed("server.tls.listen", settings -> label(settings.net().tlsListen())),
          new Fixed("server.proxy_protocol", settings -> settings.net().proxyProtocol()),
          new Fixed("server.event_loops", settings -> settings.net().eventLoops()),
          new Fixed("server.balance", settings -> settings.net().balance()),
          new Fixed("server.transport", settings -> settings.net().transport()),
          new Fixed("server.max_connections", settings -> settings.net().maxConnections()),
          new Fixed("server.graceful.pid_file", settings -> settings.drain().pidFile()),
          new Fixed("origin.command", settings -> settings.application().command()),
          new Fixed("origin.http_version", settings -> settings.wire().originProtocol()),
          new Fixed("telemetry.admin.listen", settings -> label(settings.admin().admin())),
          new Fixed(
              "telemetry.prometheus.listen", settings -> label(settings.admin().prometheus())),
          new Fixed("telemetry.logging.access", settings -> settings.log().access()));

  private ReloadRule() {}

  /** The keys that keep {@code next} from taking {@code current}'s place; empty = it may. */
  public static List<Refusal> refusals(Settings current, Settings next) {
    List<Refusal> refusals = new ArrayList<>();
    for (Fixed fixed : FIXED) {
      Object before = fixed.value().apply(current);
      Object after = fixed.value().apply(next);
      if (!Objects.equals(before, after)) {
        refusals.add(new Refusal(fixed.keyPath(), word(before), word(after)));
      }
    }
    return refusals;
  }

  private static Object label(@Nullable Address address) {
    return address == null ? "" : address.label();
  }

  private static String word(Object value) {
    String text =
        value instanceof Enum<?> word ? word.name().toLowerCase(Locale.ROOT) : value.toString();
    return text.isEmpty() ? "\"\"" : text;
  }
}
