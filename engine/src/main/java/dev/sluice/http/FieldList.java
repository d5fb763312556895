package dev.sluice.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fields that we wrote ourselves, or that a test did. Immutable. */
public final class FieldList implements Headers {

  /** No fields. */
  public static final FieldList EMPTY = new FieldList(List.of());

  private record Line(@Nullable FieldName known, String name, String value) {}

  private final List<Line> lines;
  private final long present;

  private FieldList(List<Line> lines) {
    this.lines = lines;
    long set = 0;
    for (Line line : lines) {
      set |= line.known == null ? 0 : line.known.bit();
    }
    this.present = set;
  }

  /** Name, value, name, value, … */
  public static FieldList of(String... namesAndValues) {
    var lines = new ArrayList<Line>(namesAndValues.length / 2);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      lines.add(
          new Line(FieldName.find(namesAndValues[i]), namesAndValues[i], namesAndValues[i + 1]));
    }
    return new FieldList(lines);
  }

  @Override
  public int size() {
    return lines.size();
  }

  @Override
  public @Nullable FieldName known(int index) {
    return lines.get(index).known;
  }

  @Override
  public String name(int index) {
    return lines.get(index).name;
  }

  @Override
  public String value(int index) {
    return lines.get(index).value;
  }

  @Override
  public long present() {
    return present;
  }
}
