package dev.sluice.governor.classify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.http.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InternalFieldsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x-middleware-subrequest",
        "X-Middleware-Prefetch",
        "x-MIDDLEWARE-set-cookie",
        "x-invoke-path",
        "X-Invoke-Query",
        "x-now-route-matches",
        "X-Matched-Path",
        "x-prerender-revalidate",
        "x-prerender-revalidate-if-generated",
        "Next-Resume",
        "x-next-resume-state-length",
        "x-next-revalidated-tags",
        "x-next-revalidate-tag-token",
        "X-ISR",
        "x-action-forwarded"
      })
  void isInternal_N03_isRecognizedInAnyCase(String name) {
    assertThat(InternalFields.names().contains(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x-nextjs-data",
        "next-action",
        "next-url",
        "x-deployment-id",
        "x-middle",
        "x-",
        "",
        "host",
        "accept",
        "x-isrx"
      })
  void isInternal_clientsOwn_isLeft(String name) {
    assertThat(InternalFields.names().contains(name)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "/dashboard?__nextDataReq=1,          true",
    "/dashboard?a=b&__nextDataReq,        true",
    "/dashboard?__next%44ataReq=1,        true",
    "/_next/data/b/x.json?__nextDataReq=1, false",
    "/p?nxtPid=1,                         true",
    "/p?%6extPid=1,                       true",
    "/p?nxtIid=1,                         true",
    "/_next/data/b/x.json?nxtPid=1,       true",
    "/p?q=nxtPid,                         false",
    "/p?q=__nextDataReq,                  false",
    "/p?q=%zz&%zz=1,                      false",
    "/p?,                                 false",
    "/p,                                  false",
  })
  void hasInternalParameter_N04_readsNamesOnly(String target, boolean expected) {
    assertThat(InternalFields.hasInternalParameter(Target.ofOriginForm(target)))
        .isEqualTo(expected);
  }
}
