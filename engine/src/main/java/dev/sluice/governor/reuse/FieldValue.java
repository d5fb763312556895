package dev.sluice.governor.reuse;

import dev.sluice.http.FieldList;
import dev.sluice.http.Headers;

/** One line's value, read where it lies. Confined to the event loop of whoever moves it. */
final class FieldValue implements CharSequence {

  private Headers headers = FieldList.EMPTY;
  private int index;
  private int length;

  /** Moves to another line. */
  FieldValue at(Headers fields, int line) {
    headers = fields;
    index = line;
    length = fields.valueLength(line);
    return this;
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public char charAt(int at) {
    return headers.valueAt(index, at);
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return toString().subSequence(start, end);
  }

  @Override
  public String toString() {
    return length == 0 ? "" : headers.value(index);
  }
}
