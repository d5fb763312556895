package dev.sluice;

import dev.sluice.fixture.RawResponse;
import dev.sluice.governor.fetch.Names;
import java.util.Arrays;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What tests of further attempts have in common: origins that fail, and proxies that ask again. */
abstract class Retrying {

  static final String ON = "retry: { enabled: true, budget_min: 100 }";

  @RegisterExtension static final Running running = new Running();

  static ProxyFile file(String... origin) {
    ProxyFile file = ProxyFile.plain().server("debug_headers: true");
    for (String line : origin) {
      file = file.origin(line);
    }
    return file;
  }

  static HeldOrigin origin(HeldOrigin.Answers answers) {
    return running.closing(HeldOrigin.start(answers));
  }

  static HeldOrigin good() {
    return origin(asked -> HeldOrigin.ok("", "good"));
  }

  /** Fails so often, then is good. */
  static HeldOrigin failing(int times, String answer) {
    return origin(asked -> asked.number() < times ? answer : HeldOrigin.ok("", "good"));
  }

  static String refusal(int status, String fields) {
    return HeldOrigin.answer(status + " No", fields, "no");
  }

  static Sluice before(ProxyFile file, int... ports) {
    return running.proxy(
        file,
        Names.system(),
        Arrays.stream(ports).mapToObj(port -> "127.0.0.1:" + port).toArray(String[]::new));
  }

  static RawResponse get(Sluice proxy) {
    return running.client(proxy).get("/page").readAll();
  }

  static String metrics(Sluice proxy) {
    return new Operator(running, proxy).metrics();
  }
}
