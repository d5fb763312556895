package dev.sluice.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears the process's signals. The JDK has no public class for it, so its one is reached by name;
 * where that fails, or a signal does not exist (Windows), the signal keeps its default meaning.
 * Thread-safe.
 */
final class Signals {

  private static final Logger log = LoggerFactory.getLogger(Signals.class);

  private Signals() {}

  /** The signals that a running proxy hears, by name, as they come. */
  static BlockingQueue<String> queue() {
    var signals = new LinkedBlockingQueue<String>();
    for (String signal : List.of("TERM", "INT", "HUP", "USR1")) {
      on(signal, signals::add);
    }
    return signals;
  }

  /** From now on {@code handler} is told the name of {@code signal}, TERM for SIGTERM. */
  private static void on(String signal, Consumer<String> handler) {
    try {
      Class<?> signalClass = Class.forName("sun.misc.Signal");
      Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(),
              new Class<?>[] {handlerClass},
              (self, method, arguments) ->
                  answer(self, method.getName(), arguments, signal, handler));
      Object instance = signalClass.getConstructor(String.class).newInstance(signal);
      signalClass.getMethod("handle", signalClass, handlerClass).invoke(null, instance, proxy);
    } catch (InvocationTargetException e) {
      log.debug("signal {} is not available here: {}", signal, String.valueOf(e.getCause()));
    } catch (ReflectiveOperationException e) {
      log.debug("signal {} cannot be heard: {}", signal, e.toString());
    }
  }

  private static Object answer(
      Object self, String method, Object[] arguments, String signal, Consumer<String> handler) {
    return switch (method) {
      case "handle" -> {
        handler.accept(signal);
        yield true;
      }
      case "equals" -> self == arguments[0];
      case "hashCode" -> System.identityHashCode(self);
      default -> "handler of SIG" + signal;
    };
  }
}
