package dev.sluice.config;

/** Writes the file that {@code sluice init} begins with (CLI-02 to CLI-11). Immutable. */
public record InitWriter(String upstream, String listen, int concurrency) {

  public static final String DEFAULT_UPSTREAM = "127.0.0.1:3000";
  public static final String DEFAULT_LISTEN = "127.0.0.1:8080";
  public static final int DEFAULT_CONCURRENCY = 64;

  /** The file's text. Read it with {@code SettingsReader} before it is kept: options may be bad. */
  public String text() {
    return """
        # Sluice: bounds how much of your application is used at once.
        # Every key with its default: docs/configuration.md. Judge a change with: sluice check
        version: 1

        server:
          listen: "%s"            # where clients connect

        origin:
          upstreams: ["%s"]       # your application
          concurrency:
            max: %d               # requests it works on at once; the rest waits in line
            queue:
              max: %d             # how many may wait; who comes later is told to retry
              timeout: 2s         # how long one waits at most

        routes:                   # in order, the first match wins
          - id: default
            match: "/**"
            class: private_dynamic   # never shared, always bounded
            cache: { enabled: false }
            coalesce: { enabled: false }

        telemetry:
          admin:
            listen: "127.0.0.1:9091"   # health, status and metrics, apart from traffic
        """
        .formatted(listen, upstream, concurrency, 2L * concurrency);
  }
}
