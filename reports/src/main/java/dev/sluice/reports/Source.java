package dev.sluice.reports;

import java.lang.StackWalker.StackFrame;
import java.nio.file.Path;
import java.util.List;

/**
 * Where a gate is written, so that it can be run again alone. Immutable.
 *
 * @param module the folder of its module; "" = not known
 * @param test the simple name of its class; "" = not known
 * @param method of the class; "" = not known
 */
public record Source(String module, String test, String method) {
  static final Source UNKNOWN = new Source("", "", "");

  /** Of the gate whose test is on this thread's stack. */
  static Source here() {
    String folder = System.getProperty("basedir", "");
    String module = folder.isEmpty() ? "" : Path.of(folder).getFileName().toString();
    List<StackFrame> frames =
        StackWalker.getInstance().walk(all -> all.filter(Source::isOfATest).toList());
    if (frames.isEmpty()) {
      return new Source(module, "", "");
    }
    // The outermost: what JUnit called.
    StackFrame test = frames.get(frames.size() - 1);
    return new Source(module, simpleName(test.getClassName()), test.getMethodName());
  }

  private static boolean isOfATest(StackFrame frame) {
    String name = frame.getClassName();
    return name.endsWith("Gate") && !name.equals(Gate.class.getName());
  }

  private static String simpleName(String className) {
    int begin = Math.max(className.lastIndexOf('.'), className.lastIndexOf('$'));
    return className.substring(begin + 1);
  }
}
