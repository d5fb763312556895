package dev.sluice;

import dev.sluice.admin.AdminPages;
import dev.sluice.admin.AdminSettings;
import dev.sluice.admin.EngineStatus.Listener;
import dev.sluice.admin.ExplainPage;
import dev.sluice.admin.PurgePage;
import dev.sluice.admin.StatusSource;
import dev.sluice.net.BindFailure;
import dev.sluice.net.NetSettings.Address;
import dev.sluice.net.PlainHttpListener;
import dev.sluice.net.Transport;
import dev.sluice.observe.MetricsPage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The listeners that are the operator's, with their pages. Opened once, by one thread; what is open
 * any thread may ask.
 */
final class OperatorPages implements AutoCloseable {

  private final Transport transport;
  private final Content content;
  private final List<PlainHttpListener> open = new ArrayList<>();
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private volatile int adminPort;

  /** What there is to see and to do. */
  record Content(StatusSource status, MetricsPage metrics, PurgePage purge, ExplainPage explain) {}

  OperatorPages(Transport transport, Content content) {
    this.transport = transport;
    this.content = content;
  }

  /** Binds what the settings name; the metrics have a listener of their own, or the admin's. */
  void open(AdminSettings settings) throws BindFailure {
    Address prometheus = settings.prometheus();
    Address admin = settings.admin();
    if (admin != null) {
      boolean all = prometheus == null;
      adminPort =
          open("admin", admin, all ? AdminPages.Scope.ALL : AdminPages.Scope.WITHOUT_METRICS);
    }
    if (prometheus != null) {
      open("prometheus", prometheus, AdminPages.Scope.METRICS_ONLY);
    }
  }

  private int open(String name, Address address, AdminPages.Scope scope) throws BindFailure {
    var listener =
        new PlainHttpListener(
            transport,
            "sluice-operator",
            new AdminPages(
                scope, content.status(), content.metrics(), content.purge(), content.explain()));
    open.add(listener);
    int bound = listener.bind(address);
    listeners.add(new Listener(name, address.host(), bound));
    return bound;
  }

  /** The admin port; 0 where there is none. */
  int adminPort() {
    return adminPort;
  }

  /** Those that are bound. */
  List<Listener> listeners() {
    return List.copyOf(listeners);
  }

  @Override
  public void close() {
    open.forEach(PlainHttpListener::close);
  }
}
