package dev.sluice;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.status.NopStatusListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process log: standard error, one line an event. Logback finds this class by its service file
 * in the one jar, so that it neither looks for a file of its own nor sets up what is replaced at
 * once; in tests, which have their own set-up, it only changes levels.
 */
public final class ProcessLog extends ContextAwareBase implements Configurator {

  private static final String OURS = "dev.sluice";

  /** What the application that we started writes; it is nobody's to leave out. */
  private static final String APPLICATION = "application";

  /** For Logback. */
  public ProcessLog() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    // There is no file that could be wrong; who listens spares Logback looking for what to report.
    context.getStatusManager().add(new NopStatusListener());
    var encoder = new LogLine();
    encoder.setContext(context);
    encoder.start();
    var appender = new ConsoleAppender<ILoggingEvent>();
    appender.setContext(context);
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.addAppender(appender);
    root.setLevel(Level.WARN);
    context.getLogger(OURS).setLevel(Level.INFO);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /** From now on Sluice's own lines are logged from this level on; libraries' from WARN on. */
  public static void level(String level) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.getLogger(OURS).setLevel(Level.toLevel(level, Level.INFO));
      context.getLogger(APPLICATION).setLevel(Level.INFO);
    }
  }
}
