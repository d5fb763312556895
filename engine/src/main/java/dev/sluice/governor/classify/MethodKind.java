package dev.sluice.governor.classify;

/** What a method means to the rules (RFC 9110 9); names are case-sensitive. */
enum MethodKind {
  /** GET and HEAD: the only ones that may be shared. */
  READ,
  /** Safe, but its answer is nobody else's. */
  OPTIONS,
  /** POST, PUT, PATCH, DELETE. */
  WRITE,
  /** CONNECT and TRACE, which are not served. */
  REFUSED,
  /** Taken for unsafe (DEC-46). */
  UNKNOWN;

  static MethodKind of(String method) {
    return switch (method) {
      case "GET", "HEAD" -> READ;
      case "OPTIONS" -> OPTIONS;
      case "POST", "PUT", "PATCH", "DELETE" -> WRITE;
      case "CONNECT", "TRACE" -> REFUSED;
      default -> UNKNOWN;
    };
  }
}
