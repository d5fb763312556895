package dev.sluice.governor.classify;

/** What one request turned out to be, as logged (DEC-07). */
public enum RequestClass {
  STATIC_ASSET("static_asset"),
  PUBLIC_DOCUMENT("public_document"),
  PRIVATE_DOCUMENT("private_document"),
  RSC_PAYLOAD("rsc_payload"),
  PREFETCH("prefetch"),
  MUTATION("mutation"),
  DRAFT("draft"),
  IMAGE("image"),
  UPGRADE("upgrade"),
  OTHER("other");

  private final String code;

  RequestClass(String code) {
    this.code = code;
  }

  /** The word in logs and metrics. */
  public String code() {
    return code;
  }
}
