package dev.sluice.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.application.Application.State;
import dev.sluice.fixture.Deadline;
import dev.sluice.time.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ORG-32, DEC-20 with real programs; what listens for them is this test's own socket. */
class ApplicationTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(20);

  @TempDir private Path folder;
  private final ServerSocket listener;
  private final List<Application> opened = new ArrayList<>();

  ApplicationTest() throws IOException {
    listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    opened.forEach(Application::close);
    listener.close();
  }

  private Application start(String... command) throws IOException {
    var settings = new ApplicationSettings(List.of(command), "127.0.0.1", listener.getLocalPort());
    var application = new Application(settings, Ticker.system(), new Random(1));
    opened.add(application);
    application.start();
    return application;
  }

  private static void awaitState(Application application, State state) {
    await(state + ", is " + application.view(), () -> application.view().state() == state);
  }

  private static void await(String what, BooleanSupplier condition) {
    Deadline deadline = Deadline.in(PATIENCE);
    while (!condition.getAsBoolean()) {
      deadline.check(what);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  private long pidIn(String file) throws IOException {
    Path path = folder.resolve(file);
    await(file, () -> path.toFile().length() > 0);
    return Long.parseLong(Files.readString(path).strip());
  }

  @Test
  void program_thatIsNotThere_isNotStarted() {
    assertThatThrownBy(() -> start("no-such-program", "x"))
        .isInstanceOf(IOException.class)
        .hasMessage("origin.command: no-such-program is not on PATH");
    assertThatThrownBy(() -> start(folder.resolve("none").toString()))
        .hasMessageContaining("cannot be executed");
    assertThat(opened).extracting(one -> one.view().state()).containsOnly(State.STOPPED);
  }

  @Test
  void application_isUp_onceItListens_andEndsByTerm() throws IOException {
    Path asked = folder.resolve("asked");
    Application application =
        start(
            "sh",
            "-c",
            "trap 'echo term >" + asked + "; exit 7' TERM; while :; do sleep 0.02; done");
    awaitState(application, State.LISTENING);
    long pid = application.view().pid();

    application.stop(LONG_NANOS, () -> false);

    assertThat(asked).hasContent("term");
    assertThat(application.view()).isEqualTo(new Application.View(State.STOPPED, 0, 0, 7));
    assertThat(isAlive(pid)).isFalse();
  }

  @Test
  void application_thatEnds_isDown_andStartedAgain() throws IOException {
    Application application =
        start(
            "sh",
            "-c",
            "test -e "
                + folder
                + "/second || { : >"
                + folder
                + "/second; exit 3; }; exec sleep 60");

    awaitState(application, State.WAITING);
    assertThat(application.isUp()).isFalse();
    assertThat(application.view().lastExit()).isEqualTo(3);

    awaitState(application, State.LISTENING);
    assertThat(application.view().restarts()).isEqualTo(1);
  }

  @Test
  void application_thatDoesNotListen_isNotUp() throws IOException {
    listener.close();
    Application application = start("sleep", "60");

    await("a process", () -> application.view().pid() != 0);

    assertThat(application.view().state()).isEqualTo(State.STARTING);
    assertThat(application.isUp()).isFalse();
  }

  /** Whoever ignores TERM is killed, and so is what it started. */
  @Test
  void application_thatDoesNotEnd_isKilled_withAllItStarted() throws IOException {
    Application application =
        start(
            "sh",
            "-c",
            "trap '' TERM; sleep 61 & echo $! >" + folder + "/child; while :; do sleep 0.05; done");
    long child = pidIn("child");
    long pid = application.view().pid();

    application.stop(TimeUnit.MILLISECONDS.toNanos(200), () -> false);

    await("the end of both", () -> !isAlive(pid) && !isAlive(child));
    assertThat(application.view().lastExit()).isEqualTo(137);
  }

  /** A shell before the program: TERM reaches the program, and its end is waited for. */
  @Test
  void term_reachesWhatTheProgramStarted_andItsEndIsWaitedFor() throws IOException {
    String program =
        "trap 'sleep 0.3; echo done >"
            + folder
            + "/done; exit 0' TERM; "
            + "echo $$ >"
            + folder
            + "/inner; while :; do sleep 0.02; done";
    Application application = start("sh", "-c", "sh -c \"$0\" & wait", program);
    long inner = pidIn("inner");
    awaitState(application, State.LISTENING);

    application.stop(LONG_NANOS, () -> false);

    assertThat(folder.resolve("done")).hasContent("done");
    assertThat(isAlive(inner)).isFalse();
  }

  /** What a crashed program leaves behind would hold its port. */
  @Test
  void application_thatEnds_leavesNothingBehind() throws IOException {
    Application application = start("sh", "-c", "sleep 62 & echo $! >" + folder + "/child; exit 1");
    long child = pidIn("child");

    awaitState(application, State.WAITING);

    await("the end of what it left", () -> !isAlive(child));
  }

  @Test
  void stop_whileItWaits_startsNoFurther() throws IOException {
    Application application = start("false");
    awaitState(application, State.WAITING);

    application.stop(LONG_NANOS, () -> false);

    assertThat(application.view().state()).isEqualTo(State.STOPPED);
  }
}
