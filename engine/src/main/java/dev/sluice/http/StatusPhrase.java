package dev.sluice.http;

/** The phrases of the statuses that we answer with (RFC 9110 15). Stateless. */
public final class StatusPhrase {

  private StatusPhrase() {}

  /** The phrase, or one that fits the kind of status. */
  public static String of(int status) {
    return switch (status) {
      case 200 -> "OK";
      case 204 -> "No Content";
      case 206 -> "Partial Content";
      case 304 -> "Not Modified";
      case 400 -> "Bad Request";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 408 -> "Request Timeout";
      case 412 -> "Precondition Failed";
      case 414 -> "URI Too Long";
      case 416 -> "Range Not Satisfiable";
      case 417 -> "Expectation Failed";
      case 421 -> "Misdirected Request";
      case 429 -> "Too Many Requests";
      case 431 -> "Request Header Fields Too Large";
      case 500 -> "Internal Server Error";
      case 501 -> "Not Implemented";
      case 502 -> "Bad Gateway";
      case 503 -> "Service Unavailable";
      case 504 -> "Gateway Timeout";
      case 505 -> "HTTP Version Not Supported";
      case 508 -> "Loop Detected";
      default -> status < 500 ? "Request Refused" : "Service Error";
    };
  }
}
