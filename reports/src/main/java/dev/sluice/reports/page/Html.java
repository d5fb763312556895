package dev.sluice.reports.page;

/** Text in HTML and coordinates in SVG. */
final class Html {

  private Html() {}

  /** The text as it stands in an element or in an attribute's double quotes. */
  static String text(String raw) {
    return raw.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** An element with this class, around text. */
  static String element(String name, String cssClass, String raw) {
    return "<" + name + " class=\"" + cssClass + "\">" + text(raw) + "</" + name + ">";
  }

  /** A coordinate to a tenth of a pixel. */
  static String px(double coordinate) {
    double tenths = Math.round(coordinate * 10) / 10.0;
    return tenths == Math.rint(tenths) ? Long.toString((long) tenths) : Double.toString(tenths);
  }
}
