package dev.sluice.soak;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** What of another JVM's heap is in use once its garbage is gone. Confined to one thread. */
final class LiveHeap implements AutoCloseable {

  private final JMXConnector connector;
  private final MemoryMXBean memory;
  private final List<MemoryPoolMXBean> pools;

  private LiveHeap(JMXConnector connector, MBeanServerConnection jvm) throws IOException {
    this.connector = connector;
    this.memory = ManagementFactory.getPlatformMXBean(jvm, MemoryMXBean.class);
    this.pools =
        ManagementFactory.getPlatformMXBeans(jvm, MemoryPoolMXBean.class).stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();
  }

  /** Of the JVM with that pid. */
  // What it deserializes comes from a process that the test itself started.
  @SuppressWarnings("BanJNDI")
  static LiveHeap of(long pid) throws IOException {
    try {
      VirtualMachine jvm = VirtualMachine.attach(Long.toString(pid));
      String address = jvm.startLocalManagementAgent();
      jvm.detach();
      JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address));
      return new LiveHeap(connector, connector.getMBeanServerConnection());
    } catch (AttachNotSupportedException e) {
      throw new IOException("JVM " + pid, e);
    }
  }

  /** Collects, and says what was left right behind the collection, in bytes. */
  long bytes() {
    memory.gc();
    return pools.stream().mapToLong(pool -> pool.getCollectionUsage().getUsed()).sum();
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
