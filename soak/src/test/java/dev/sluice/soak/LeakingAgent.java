package dev.sluice.soak;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * The control of the trends: an agent that makes a real Sluice keep what it should give back, a
 * little of everything, again and again. Its lists belong to its own thread.
 */
public final class LeakingAgent {

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final int HEAP_BYTES = 160 << 10;
  private static final int DIRECT_BYTES = 512 << 10;

  /** Those of clients come and go by the dozen. */
  private static final int FILES_A_TURN = 4;

  private static final List<byte[]> HEAP = new ArrayList<>();
  private static final List<ByteBuf> DIRECT = new ArrayList<>();
  private static final List<InputStream> FILES = new ArrayList<>();
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private LeakingAgent() {}

  /** What the JVM calls before the program's own main. */
  public static void premain(String arguments) {
    daemon("leak", LeakingAgent::leakOn);
  }

  private static void leakOn() {
    while (NEVER.getCount() > 0) {
      LockSupport.parkNanos(PAUSE_NANOS);
      HEAP.add(new byte[HEAP_BYTES]);
      DIRECT.add(ByteBufAllocator.DEFAULT.directBuffer(DIRECT_BYTES));
      for (int i = 0; i < FILES_A_TURN; i++) {
        FILES.add(anOpenFile());
      }
      daemon("leaked-" + HEAP.size(), LeakingAgent::waitForEver);
    }
  }

  private static InputStream anOpenFile() {
    try {
      return new FileInputStream("/dev/null");
    } catch (IOException e) {
      throw new UncheckedIOException("the null device", e);
    }
  }

  private static void waitForEver() {
    try {
      NEVER.await();
    } catch (InterruptedException ends) {
      Thread.currentThread().interrupt();
    }
  }

  private static void daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** The JVM's flag for it; the agent's jar is written into that folder. */
  static String flag(Path folder) throws IOException {
    Path jar = folder.resolve("leaking-agent.jar");
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", LeakingAgent.class.getName());
    String entry = LeakingAgent.class.getName().replace('.', '/') + ".class";
    try (var classFile = LeakingAgent.class.getResourceAsStream("/" + entry);
        var out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      if (classFile == null) {
        throw new IOException(entry + ": not on the class path");
      }
      out.putNextEntry(new JarEntry(entry));
      classFile.transferTo(out);
    }
    return "-javaagent:" + jar.toAbsolutePath();
  }
}
