package dev.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class TargetLawsTest {

  /** Pieces that parsers disagree about, between pieces that they do not. */
  @Provide
  Arbitrary<String> targets() {
    return Arbitraries.of(
            "/", "//", ".", "..", "%2e", "%2E", "%2f", "%5c", "\\", ";", "%3b", "%00", "%", "%25",
            "%252e", "%32%66", "%c3%a9", "%c0%af", "%ff", "%61", "a", "account", "_next", "static",
            "?", "#", "%3f", "%23", " ", "é", "[", "~")
        .list()
        .ofMaxSize(14)
        .map(pieces -> "/" + String.join("", pieces));
  }

  @Property
  void ofOriginForm_anyText_keepsItRawAndDoesNotThrow(@ForAll String raw) {
    Target target = Target.ofOriginForm(raw);
    assertThat(target.raw()).isEqualTo(raw);
    assertThat(target.ambiguous() || raw.startsWith("/") || raw.equals("*")).isTrue();
  }

  @Property
  void ofOriginForm_unambiguousPath_isItsOwnNormalForm(@ForAll("targets") String raw) {
    Target target = Target.ofOriginForm(raw);
    if (!target.ambiguous() && target.path().indexOf('?') < 0) {
      assertThat(Target.ofOriginForm(target.path()).path()).isEqualTo(target.path());
    }
  }

  @Property
  void ofOriginForm_path_hasNoDotSegment(@ForAll("targets") String raw) {
    String path = Target.ofOriginForm(raw).path();
    assertThat(path).startsWith("/");
    for (String segment : path.split("/", -1)) {
      assertThat(segment).isNotIn(".", "..");
    }
  }

  @Property
  void ofOriginForm_unambiguousPath_isWhatTheJdkReads(@ForAll("targets") String raw) {
    Target target = Target.ofOriginForm(raw);
    String pathPart = raw.split("[?]", 2)[0];
    if (!target.ambiguous() && pathPart.chars().allMatch(c -> c > ' ' && "[]".indexOf(c) < 0)) {
      assertThat(target.path()).isEqualTo(URI.create(pathPart).normalize().getPath());
    }
  }

  @Property
  void ofOriginForm_everyOctetEscaped_meansTheSamePath(@ForAll("names") String name) {
    var escaped = new StringBuilder("/");
    for (byte octet : name.getBytes(StandardCharsets.UTF_8)) {
      escaped.append(String.format("%%%02x", octet));
    }
    Target target = Target.ofOriginForm(escaped.toString());
    assertThat(target.path()).isEqualTo("/" + name);
    assertThat(target.ambiguous()).isFalse();
  }

  @Provide
  Arbitrary<String> names() {
    return Arbitraries.strings()
        .alpha()
        .numeric()
        .withChars("-_~éü漢🌊".toCharArray())
        .ofMinLength(1)
        .ofMaxLength(12)
        .filter(name -> StandardCharsets.UTF_8.newEncoder().canEncode(name));
  }
}
