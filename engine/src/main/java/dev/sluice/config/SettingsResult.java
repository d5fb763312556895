package dev.sluice.config;

import java.util.List;

/** What reading a file came to. Immutable. */
public sealed interface SettingsResult {

  /** What its author should know, in the file's order. */
  List<SettingsProblem> warnings();

  /**
   * The file may be run.
   *
   * @param notes the lines that {@code sluice check} prints beside: stop time, descriptors, memory
   */
  record Accepted(
      Settings settings, Effective effective, List<SettingsProblem> warnings, List<String> notes)
      implements SettingsResult {

    public Accepted {
      warnings = List.copyOf(warnings);
      notes = List.copyOf(notes);
    }
  }

  /** The file may not be run; {@code errors} are all of them, in the file's order. */
  record Refused(List<SettingsProblem> errors, List<SettingsProblem> warnings)
      implements SettingsResult {

    public Refused {
      errors = List.copyOf(errors);
      warnings = List.copyOf(warnings);
    }
  }
}
