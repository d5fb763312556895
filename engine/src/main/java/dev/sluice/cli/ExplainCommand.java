package dev.sluice.cli;

import dev.sluice.config.Machine;
import dev.sluice.config.Settings;
import dev.sluice.config.SettingsResult.Accepted;
import dev.sluice.config.Strictness;
import dev.sluice.governor.AnswerExplanation;
import dev.sluice.governor.classify.Classification;
import dev.sluice.governor.classify.Classifier;
import dev.sluice.governor.classify.Explanation;
import dev.sluice.governor.reuse.KeyExplanation;
import dev.sluice.governor.reuse.KeyRecipe;
import dev.sluice.governor.reuse.KeyWriter;
import dev.sluice.governor.reuse.Selection;
import dev.sluice.governor.reuse.VaryNamesInForce;
import dev.sluice.http.Authority;
import dev.sluice.http.FieldList;
import dev.sluice.http.FieldName;
import dev.sluice.http.Framing;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.StatusPhrase;
import dev.sluice.http.Target;
import dev.sluice.time.WallClock;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
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
      defaultValue = "GET",
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
  private @Nullable Integer status;

  @Option(
      names = {"-R", "--response-header"},
      paramLabel = "'NAME: VALUE'",
      description = "A field of that answer; may be given again. Without --status of a 200.")
  private List<String> answerHeaders = new ArrayList<>();

  @Option(
      names = "--scheme",
      paramLabel = "SCHEME",
      defaultValue = "http",
      description = "http or https. Default: ${DEFAULT-VALUE}.")
  private String scheme;

  // Options are set by picocli before call.
  @SuppressWarnings("NullAway.Init")
  ExplainCommand() {}

  @Override
  public Integer call() {
    if (!target.startsWith("/")) {
      throw new Stop(ExitCode.USAGE, "TARGET: " + target + " (expected: a path, /…)");
    }
    RequestHead request = request();
    ResponseHead answer = answer();
    Accepted accepted =
        ConfigOption.accepted(
            ConfigOption.read(config.file(), Machine.detect(), Strictness.CHECK),
            spec.commandLine().getErr());
    Settings settings = accepted.settings();
    Classification classification = new Classifier(settings.classify()).classify(request);
    PrintWriter out = spec.commandLine().getOut();
    Explanation.of(classification).forEach(out::println);
    if (classification instanceof Classification.Classified classified) {
      Selection selection =
          new KeyRecipe(settings.reuse(), settings.classify())
              .select(request, scheme, classified, VaryNamesInForce.NOTHING, new KeyWriter());
      KeyExplanation.of(selection).forEach(out::println);
      LimitLines.of(settings.admit(), classified).forEach(out::println);
      if (answer != null) {
        new AnswerExplanation(settings.reuse(), settings.spool())
            .of(classified, selection, answer, WallClock.system().epochMillis())
            .forEach(out::println);
      }
    }
    return ExitCode.OK;
  }

  private RequestHead request() {
    FieldList fields = fields("--header", headers);
    String given = fields.first(FieldName.HOST);
    String host = given == null ? "localhost" : given;
    if (Authority.parse(host) instanceof Authority.Invalid) {
      throw new Stop(ExitCode.USAGE, "--header: Host: " + host + " (expected: NAME or NAME:PORT)");
    }
    return new RequestHead(
        method, Target.ofOriginForm(target), host, 1, fields, Framing.None.INSTANCE);
  }

  /** Null where only the request is asked about. */
  private @Nullable ResponseHead answer() {
    if (status == null && answerHeaders.isEmpty()) {
      return null;
    }
    int code = status == null ? 200 : status;
    if (code < 200 || code > 999) {
      throw new Stop(ExitCode.USAGE, "--status: " + code + " (expected: 200 to 999)");
    }
    FieldList fields = fields("--response-header", answerHeaders);
    String length = fields.first(FieldName.CONTENT_LENGTH);
    Framing framing =
        length != null && length.matches("[0-9]{1,18}")
            ? new Framing.Length(Long.parseLong(length))
            : Framing.Chunked.INSTANCE;
    return new ResponseHead(code, StatusPhrase.of(code), fields, framing);
  }

  private static FieldList fields(String option, List<String> given) {
    var lines = new ArrayList<String>();
    for (String field : given) {
      int colon = field.indexOf(':');
      if (colon < 1) {
        throw new Stop(ExitCode.USAGE, option + ": " + field + " (expected: NAME: VALUE)");
      }
      lines.add(field.substring(0, colon).strip());
      lines.add(field.substring(colon + 1).strip());
    }
    return FieldList.of(lines.toArray(String[]::new));
  }
}
