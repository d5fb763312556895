package dev.sluice.bench.peers;

import java.nio.file.Path;

/**
 * What the peers are configured with: one worker each, kept connections on both sides, no logs, the
 * same TLS for all. Stateless.
 */
final class PeerFiles {

  private static final String NGINX =
      """
      daemon off;
      worker_processes 1;
      pid %1$s/%2$s.pid;
      error_log %1$s/%2$s.log;
      events { worker_connections 4096; }
      http {
        access_log off;
        sendfile on;
        tcp_nopush on;
        keepalive_requests 1000000000;
        client_body_temp_path %1$s/%2$s-body;
        proxy_temp_path %1$s/%2$s-proxy;
        fastcgi_temp_path %1$s/%2$s-fastcgi;
        uwsgi_temp_path %1$s/%2$s-uwsgi;
        scgi_temp_path %1$s/%2$s-scgi;
      %3$s}
      """;

  private PeerFiles() {}

  /** The origin of all: one page under every path, and how often it was asked for. */
  static String origin(Path folder, int port) {
    String server =
        """
          server {
            listen 127.0.0.1:%2$d;
            location / {
              root %1$s/www;
              try_files /page.html =404;
              default_type text/html;
              add_header Cache-Control "public, max-age=600";
            }
            location = /count { stub_status; }
          }
        """;
    return NGINX.formatted(folder, "origin", server.formatted(folder, port));
  }

  static String nginx(Path folder, int originPort, int port, int tlsPort) {
    String servers =
        """
          upstream origin {
            server 127.0.0.1:%2$d;
            keepalive 256;
            keepalive_requests 1000000000;
          }
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_cache_path %1$s/cache keys_zone=pages:10m;
          server {
            listen 127.0.0.1:%3$d;
            location /hit {
              proxy_pass http://origin;
              proxy_cache pages;
              proxy_cache_lock on;
              proxy_cache_valid 200 10m;
            }
            location / { proxy_pass http://origin; }
          }
          server {
            listen 127.0.0.1:%4$d ssl;
            ssl_certificate %1$s/cert.pem;
            ssl_certificate_key %1$s/key.pem;
            ssl_session_tickets off;
            ssl_session_cache off;
            ssl_protocols TLSv1.3;
            ssl_conf_command Ciphersuites TLS_AES_256_GCM_SHA384;
            location / { proxy_pass http://origin; }
          }
        """;
    return NGINX.formatted(folder, "nginx", servers.formatted(folder, originPort, port, tlsPort));
  }

  static String varnish(int originPort) {
    return """
        vcl 4.1;
        backend origin { .host = "127.0.0.1"; .port = "%d"; }
        sub vcl_recv { return (hash); }
        """
        .formatted(originPort);
  }

  static String haproxy(Path folder, int originPort, int port, int tlsPort) {
    return """
        global
          nbthread 1
          maxconn 4000
          ssl-default-bind-options no-tls-tickets ssl-min-ver TLSv1.3
          ssl-default-bind-ciphersuites TLS_AES_256_GCM_SHA384
          tune.ssl.cachesize 0
        defaults
          mode http
          timeout client 30s
          timeout server 30s
          timeout connect 3s
          http-reuse always
        listen cleartext
          bind 127.0.0.1:%3$d
          server origin 127.0.0.1:%2$d
        listen tls
          bind 127.0.0.1:%4$d ssl crt %1$s/both.pem
          server origin 127.0.0.1:%2$d
        """
        .formatted(folder, originPort, port, tlsPort);
  }

  static String sluice(Path folder, int originPort, int tlsPort) {
    return """
        version: 1
        server:
          listen: "127.0.0.1:{{port}}"
          event_loops: 1
          graceful: { drain_period: 0s }
          tls: { listen: "127.0.0.1:%3$d", cert: "%1$s/cert.pem", key: "%1$s/key.pem", session_tickets: false }
        origin:
          upstreams: ["127.0.0.1:%2$d"]
          concurrency: { max: 2000, queue: { max: 2000, timeout: 2s } }
        cache: { enabled: true }
        routes:
          - id: hit
            match: "/hit/**"
            class: public_ssr
            cache: { override_origin: true, ttl: { max: 600s } }
          - { id: pass, match: "/**", class: private_dynamic }
        telemetry:
          admin: { listen: "127.0.0.1:{{admin}}" }
          logging: { access: none }
        """
        .formatted(folder, originPort, tlsPort);
  }
}
