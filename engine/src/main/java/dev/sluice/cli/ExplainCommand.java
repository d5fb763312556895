package dev.sluice.cli;

import dev.sluice.config.Machine;
import dev.sluice.config.Settings;
import dev.sluice.config.SettingsResult.Accepted;
import dev.sluice.config.Strictness;
import dev.sluice.governor.RequestExplanation;
import dev.sluice.governor.Supposed;
import dev.sluice.time.WallClock;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice explain}: what would be done with a request, and why (BEY-07). */
@Command(
    name = "explain",
    description =
        "Tell what would be done with a request, its route, class, key and limits, and with the"
            + " origin's answer, and why.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  sluice explain /products/7 -H 'RSC: 1'",
      "  sluice explain -c sluice.yaml -X POST /basket",
      "  sluice explain /products/7 --status 200 -R 'Cache-Control: s-maxage=60'",
      "",
      "Exit codes: 0 done; 2 wrong command line; 3 wrong configuration."
    })
final class ExplainCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private ConfigOption config;

  @Parameters(paramLabel = "TARGET", description = "What is asked for: a path, with its query.")
  private String target;

  @Option(
      names = {"-X", "--method"},
      paramLabel = "METHOD",
      defaultValue = Supposed.Words.METHOD,
      description = "The request's method. Default: ${DEFAULT-VALUE}.")
  private String method;

  @Option(
      names = {"-H", "--header"},
      paramLabel = "'NAME: VALUE'",
      description = "A field of the request; may be given again.")
  private List<String> headers = new ArrayList<>();

  @Option(
      names = "--status",
      paramLabel = "CODE",
      description = "The status of an answer of the origin's; alone it means one without fields.")
  private @Nullable String status;

  @Option(
      names = {"-R", "--response-header"},
      paramLabel = "'NAME: VALUE'",
      description = "A field of that answer; may be given again. Without --status of a 200.")
  private List<String> answerHeaders = new ArrayList<>();

  @Option(
      names = "--scheme",
      paramLabel = "SCHEME",
      defaultValue = Supposed.Words.SCHEME,
      description = "http or https. Default: ${DEFAULT-VALUE}.")
  private String scheme;

  // Options are set by picocli before call.
  @SuppressWarnings("NullAway.Init")
  ExplainCommand() {}

  @Override
  public Integer call() {
    Supposed supposed = supposed();
    Accepted accepted =
        ConfigOption.accepted(
            ConfigOption.read(config.file(), Machine.detect(), Strictness.CHECK),
            spec.commandLine().getErr());
    PrintWriter out = spec.commandLine().getOut();
    explained(supposed, accepted.settings()).forEach(out::println);
    return ExitCode.OK;
  }

  private static List<String> explained(Supposed supposed, Settings settings) {
    return supposed instanceof Supposed.Refused refused
        ? refused.lines()
        : new RequestExplanation(
                settings.classify(), settings.admit(), settings.reuse(), settings.spool())
            .of((Supposed.Case) supposed, WallClock.system().epochMillis());
  }

  /** What the words mean; a word that is none ends the command. */
  private Supposed supposed() {
    Supposed supposed =
        new Supposed.Words(target, method, scheme, headers, status, answerHeaders).read();
    if (supposed instanceof Supposed.Wrong wrong) {
      throw new Stop(
          ExitCode.USAGE,
          option(wrong.word()) + ": " + wrong.given() + " (expected: " + wrong.expected() + ")");
    }
    return supposed;
  }

  private static String option(Supposed.Word word) {
    return word == Supposed.Word.TARGET
        ? word.name()
        : "--" + word.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
