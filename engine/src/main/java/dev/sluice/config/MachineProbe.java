package dev.sluice.config;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds out what the process may use. Stateless but for the root it reads under. */
final class MachineProbe {

  private static final Pattern MEM_TOTAL = Pattern.compile("(?m)^MemTotal:\\s+(\\d+) kB");
  private static final Pattern OPEN_FILES = Pattern.compile("(?m)^Max open files\\s+(\\d+)");
  private static final Pattern DIRECT =
      Pattern.compile("-XX:MaxDirectMemorySize=(\\d+)([kKmMgGtT]?)");
  private static final Pattern GROUP = Pattern.compile("(?m)^0::(/.*)$");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  /** Where a descriptor limit is not known: what most systems give at least. */
  private static final long USUAL_DESCRIPTORS = 1024;

  private final Path root;

  MachineProbe(Path root) {
    this.root = root;
  }

  static MachineProbe system() {
    return new MachineProbe(Path.of("/"));
  }

  Machine machine() {
    long heap = Runtime.getRuntime().maxMemory();
    String via = String.format(Locale.ROOT, "%08x", ThreadLocalRandom.current().nextInt());
    return new Machine(
        Runtime.getRuntime().availableProcessors(),
        heap,
        direct(heap),
        memory(),
        descriptors(),
        via);
  }

  /** The limit on the command line, else the one that the JVM has; without one it is the heap's. */
  private long direct(long heap) {
    OptionalLong written = written(text("proc/self/cmdline"));
    if (written.isPresent()) {
      return written.getAsLong();
    }
    HotSpotDiagnosticMXBean hotspot =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    long value = Long.parseLong(hotspot.getVMOption("MaxDirectMemorySize").getValue());
    return value == 0 ? heap : value;
  }

  /** The last one on the line is in force. */
  static OptionalLong written(String commandLine) {
    Matcher matcher = DIRECT.matcher(commandLine);
    OptionalLong last = OptionalLong.empty();
    while (matcher.find()) {
      last = OptionalLong.of(Long.parseLong(matcher.group(1)) << shift(matcher.group(2)));
    }
    return last;
  }

  private static int shift(String unit) {
    return unit.isEmpty() ? 0 : 10 * ("kmgt".indexOf(unit.toLowerCase(Locale.ROOT)) + 1);
  }

  /** The tightest limit of the process's control groups, else all of the machine. */
  long memory() {
    long least = total();
    Matcher matcher = GROUP.matcher(text("proc/self/cgroup"));
    String group = matcher.find() ? matcher.group(1) : "/";
    Path top = root.resolve("sys/fs/cgroup");
    Path path = top.resolve(group.substring(1)).normalize();
    while (path != null && path.startsWith(top)) {
      String limit = text(root.relativize(path.resolve("memory.max")).toString()).strip();
      if (NUMBER.matcher(limit).matches()) {
        least = Math.min(least, Long.parseLong(limit));
      }
      path = path.getParent();
    }
    return least;
  }

  private long total() {
    Matcher matcher = MEM_TOTAL.matcher(text("proc/meminfo"));
    if (matcher.find()) {
      return Long.parseLong(matcher.group(1)) * 1024;
    }
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }

  long descriptors() {
    Matcher matcher = OPEN_FILES.matcher(text("proc/self/limits"));
    if (matcher.find()) {
      return Long.parseLong(matcher.group(1));
    }
    List<UnixOperatingSystemMXBean> unix =
        ManagementFactory.getPlatformMXBeans(UnixOperatingSystemMXBean.class);
    return unix.isEmpty() ? USUAL_DESCRIPTORS : unix.get(0).getMaxFileDescriptorCount();
  }

  private String text(String name) {
    try {
      return Files.readString(root.resolve(name), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      // Not every system has the file; the caller has another source.
      return "";
    }
  }
}
