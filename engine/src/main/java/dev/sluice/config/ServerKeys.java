package dev.sluice.config;

import static dev.sluice.config.Types.auto;
import static dev.sluice.config.Types.choice;
import static dev.sluice.config.Types.count;
import static dev.sluice.config.Types.duration;
import static dev.sluice.config.Types.durationOrOff;
import static dev.sluice.config.Types.flag;
import static dev.sluice.config.Types.list;
import static dev.sluice.config.Types.listen;
import static dev.sluice.config.Types.rate;
import static dev.sluice.config.Types.size;

import dev.sluice.config.Key.Group;
import dev.sluice.config.Key.Leaf;
import java.util.regex.Pattern;

/** The schema of {@code server} and {@code timeouts}. Immutable. */
final class ServerKeys {

  static final Group SERVER =
      Group.of(
          "server",
          "CFG-03",
          "The client's side: where to listen and how much to take.",
          Leaf.of("listen", listen(), "0.0.0.0:8080", "PRX-01", "Address of the traffic listener."),
          Leaf.of(
              "event_loops", count(0, 1024), "0", "DEC-21", "Event loops; 0 = one for each core."),
          Leaf.of(
              "balance",
              choice("least", "reuseport"),
              "least",
              "DEC-37",
              "Which loop takes a new connection: the one with the fewest, or the kernel's choice."),
          Leaf.of(
                  "transport",
                  choice("auto", "epoll", "io_uring", "nio"),
                  "auto",
                  "DEC-37",
                  "How sockets are driven; auto = epoll where it loads, else nio.")
              .laterWord("io_uring", "io_uring"),
          Leaf.of(
              "h2c",
              flag(),
              "false",
              "PRX-04",
              "HTTP/2 without TLS on the traffic listener, for clients that begin with its preface."),
          tls(),
          trustedProxies(),
          Leaf.of(
              "proxy_protocol",
              flag(),
              "false",
              "PRX-19",
              "Each connection to listen begins with a PROXY v1 or v2 header, from trusted proxies only."),
          Leaf.of(
              "hosts",
              list(Types.host()),
              "[]",
              "DEC-46",
              "Host names that are served, others get 421; empty = any."),
          Leaf.of(
              "via",
              via(),
              "auto",
              "DEC-46",
              "Pseudonym in Via; auto = sluice- and 8 digits drawn at start, none = no field."),
          Leaf.of(
              "half_close",
              choice("leave", "serve"),
              "leave",
              "DEC-27",
              "Whether a client that closed its sending side while it waits has left."),
          Leaf.of(
              "read_ahead",
              size("1KiB", "16MiB"),
              "64KiB",
              "DEC-27, DEC-32",
              "Body or pipelined bytes held for each connection that waits."),
          Leaf.of(
              "request_memory",
              size("64KiB", "1048576GiB"),
              "64MiB",
              "DEC-32, DEC-38",
              "Request bytes held by the process; unset it shrinks to an eighth of the memory at hand."),
          Leaf.of(
              "max_connections",
              auto(count(1, 10_000_000)),
              "auto",
              "DEC-37",
              "Client connections at most; auto = (descriptor limit - 512) / 2, at least 64."),
          Leaf.of(
              "max_header",
              size("1KiB", "1MiB"),
              "32KiB",
              "DEC-46",
              "Head of a request (431) and of a response (502)."),
          Leaf.of("max_target", size("256B", "1MiB"), "8KiB", "DEC-46", "Request target (414)."),
          Leaf.of(
              "debug_headers",
              flag(),
              "false",
              "PRX-34, BEY-06",
              "X-Sluice, Cache-Status and Proxy-Status to every client."),
          Group.of(
              "graceful",
              "DEC-05",
              "How the process stops.",
              Leaf.of(
                  "drain_period",
                  durationOrOff(),
                  "10s",
                  "OPS-17",
                  "After SIGTERM readiness fails and listeners still accept, this long."),
              Leaf.of(
                  "shutdown_timeout",
                  durationOrOff(),
                  "5s",
                  "OPS-19",
                  "Then what is in flight may take this long."),
              Leaf.of(
                  "pid_file",
                  Types.file(),
                  "\"\"",
                  "DEC-05",
                  "Where the process id is written; empty = nowhere.")));

  static final Group TIMEOUTS =
      Group.of(
          "timeouts",
          "DEC-04, DEC-32",
          "How long one step may take; each runs only while the awaited side owes something.",
          Leaf.of(
              "client_header",
              duration(),
              "10s",
              "DEC-04",
              "From a request's first byte to the end of its head."),
          Leaf.of(
              "client_body", duration(), "30s", "DEC-04", "Between two reads of a request body."),
          Leaf.of(
              "client_idle", duration(), "75s", "DEC-04", "Between two exchanges of a connection."),
          Leaf.of(
              "client_body_min_rate",
              rate(),
              "1KiB/s",
              "DEC-32",
              "Slowest upload, averaged over 10 s after a grace of 10 s."),
          Leaf.of(
              "downstream_write",
              duration(),
              "30s",
              "DEC-04",
              "Between two writes while bytes wait for the client."),
          Leaf.of(
              "downstream_min_rate",
              rate(),
              "1KiB/s",
              "DEC-32",
              "Slowest download, averaged over 10 s after a grace of 10 s."),
          Leaf.of("origin_connect", duration(), "2s", "DEC-04", "To connect to the origin."),
          Leaf.of(
              "origin_response",
              duration(),
              "30s",
              "DEC-04",
              "From the request's end to the response's head."),
          Leaf.of(
              "origin_read", duration(), "30s", "DEC-04", "Between two reads of a response body."),
          Leaf.of(
              "origin_idle",
              duration(),
              "4s",
              "DEC-04",
              "An idle origin connection is closed after this."),
          Leaf.of(
              "coalesce_wait",
              auto(duration()),
              "auto",
              "DEC-35",
              "From boarding a flight to its head; auto = the queue, the connects and the response together."));

  private ServerKeys() {}

  private static Group tls() {
    return Group.absent(
        "tls",
        "PRX-06 to PRX-08",
        "A TLS listener; absent by default.",
        Leaf.of("listen", listen(), null, "PRX-06", "Address of the TLS listener.").required(),
        Leaf.of("cert", Types.path(), null, "PRX-07", "PEM file of the certificate chain.")
            .required(),
        Leaf.of("key", Types.path(), null, "PRX-07", "PEM file of the private key.").required(),
        Leaf.of("h2", flag(), "true", "PRX-08", "Offer HTTP/2."),
        Leaf.of("session_tickets", flag(), "true", "DEC-21", "Resume sessions by tickets."));
  }

  private static Group trustedProxies() {
    return Group.absent(
        "trusted_proxies",
        "PRX-19 to PRX-33",
        "Whose forwarding fields are believed; absent = nobody's.",
        Leaf.of(
                "from",
                list(Types.network()),
                null,
                "PRX-20",
                "Networks, as 10.0.0.0/8, and single addresses.")
            .required(),
        Leaf.of(
            "client_ip",
            choice("x_forwarded", "forwarded", "none"),
            "x_forwarded",
            "PRX-23",
            "Which field names the client's address."),
        Leaf.of(
            "scheme",
            choice("x_forwarded", "forwarded", "none"),
            "x_forwarded",
            "PRX-26",
            "Which field names the scheme."));
  }

  private static ValueType via() {
    return Types.matching(
        "auto | none | name",
        Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}"),
        "is not a token",
        "auto, none, or a name of letters, digits and - . _",
        false);
  }
}
