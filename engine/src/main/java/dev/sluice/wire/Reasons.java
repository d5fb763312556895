package dev.sluice.wire;

import io.netty.handler.codec.http.HttpResponseStatus;

/** The reason phrase of a status of our own. */
final class Reasons {

  private Reasons() {}

  static String of(int status) {
    return HttpResponseStatus.valueOf(status).reasonPhrase();
  }
}
