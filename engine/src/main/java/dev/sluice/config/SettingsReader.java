package dev.sluice.config;

import dev.sluice.config.Key.Rows;
import dev.sluice.config.SettingsResult.Accepted;
import dev.sluice.config.SettingsResult.Refused;
import dev.sluice.config.Value.Source;
import dev.sluice.time.WallClock;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads {@code sluice.yaml}: one run tells everything that is wrong with it. Immutable; each
 * reading has a state of its own.
 */
public final class SettingsReader {

  private static final long LARGEST_FILE = 1L << 20;
  private static final String CATCH_ALL = "/**";

  private final Map<String, String> environment;
  private final Machine machine;
  private final Strictness strictness;

  public SettingsReader(Map<String, String> environment, Machine machine, Strictness strictness) {
    this.environment = Map.copyOf(environment);
    this.machine = machine;
    this.strictness = strictness;
  }

  /** Reads a file; one that cannot be read is refused like any other fault. */
  public SettingsResult read(Path file) {
    if (Files.isDirectory(file)) {
      return unreadable(file, "this is a directory (expected: a file)", "");
    }
    try {
      long size = Files.size(file);
      if (size > LARGEST_FILE) {
        return unreadable(file, "the file has " + size + " bytes (expected: at most 1MiB)", "");
      }
      return read(file.toString(), Files.readString(file));
    } catch (NoSuchFileException e) {
      return unreadable(file, "there is no such file", "sluice init writes one to start from");
    } catch (CharacterCodingException e) {
      return unreadable(file, "the file is not UTF-8", "");
    } catch (AccessDeniedException e) {
      return unreadable(file, "the file may not be read: permission denied", "");
    } catch (IOException e) {
      return unreadable(file, "the file cannot be read: " + e.getMessage(), "");
    }
  }

  private static SettingsResult unreadable(Path file, String message, String suggestion) {
    Problems problems = new Problems(file.toString());
    problems.error(Spot.START, "", message, suggestion);
    return new Refused(problems.errors(), List.of());
  }

  /** Reads a file's text; {@code name} is what messages call it. */
  public SettingsResult read(String name, String text) {
    Problems problems = new Problems(name);
    Optional<Node> document = new DocumentReader(text, problems).read();
    if (document.isEmpty()) {
      return new Refused(problems.errors(), problems.warnings());
    }
    return judge(document.get(), problems);
  }

  private SettingsResult judge(Node document, Problems problems) {
    Values values = new Values();
    TreeReader tree = new TreeReader(new Placeholders(environment), values, problems);
    tree.read(document);
    new OriginRules(values, problems).check();
    new InertRules(values, problems).check();
    new RouteRules(values, problems).check();
    new SharingRules(values, problems).check();
    new ServerRules(values, problems).check();
    new TrustRules(values, problems, WallClock.system()).check();
    addCatchAll(tree, values);
    new AdmitRules(values, problems).check();
    String fingerprint = Fingerprint.of(values);
    Resolver resolver = new Resolver(values, machine);
    resolver.resolve();
    resolver.check(strictness, problems);
    if (!problems.errors().isEmpty()) {
      return new Refused(problems.errors(), problems.warnings());
    }
    return new Accepted(
        new SettingsAssembler(values).assemble(fingerprint),
        Effective.of(values, problems.file()),
        problems.warnings(),
        CheckNotes.of(values, machine));
  }

  /** DEC-02: what no route names is private. */
  private static void addCatchAll(TreeReader tree, Values values) {
    int last = values.routes();
    for (int i = 0; i < last; i++) {
      String key = "routes[" + i + "].match";
      if (!values.sound(key) || values.text(key).equals(CATCH_ALL)) {
        return;
      }
    }
    String route = "routes[" + last + "]";
    for (Key key : Schema.ROOT.keys()) {
      if (key instanceof Rows rows) {
        tree.defaults(rows.item(), route);
      }
    }
    values.put(new Value(route + ".id", "default", "default", Source.DEFAULT, Spot.START));
    values.put(new Value(route + ".match", CATCH_ALL, CATCH_ALL, Source.DEFAULT, Spot.START));
    values.routes(last + 1);
  }
}
