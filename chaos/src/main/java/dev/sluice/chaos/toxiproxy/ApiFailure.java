package dev.sluice.chaos.toxiproxy;

/** A request to the API that is answered with an error. Immutable. */
final class ApiFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String reason;

  private ApiFailure(int status, String reason) {
    super(reason);
    this.status = status;
    this.reason = reason;
  }

  static ApiFailure badRequest(String reason) {
    return new ApiFailure(400, reason);
  }

  static ApiFailure badBody(String why) {
    return badRequest("bad request body: " + why);
  }

  static ApiFailure missingField(String field) {
    return badRequest("missing required field: " + field);
  }

  static ApiFailure notFound(String what) {
    return new ApiFailure(404, what + " not found");
  }

  static ApiFailure alreadyExists(String what) {
    return new ApiFailure(409, what + " already exists");
  }

  /** The server could not do it, as when a port is taken. */
  static ApiFailure failed(String why) {
    return new ApiFailure(500, why);
  }

  int status() {
    return status;
  }

  String reason() {
    return reason;
  }
}
