package dev.sluice.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** FIELD_CASES M02: a query's names are told, nothing that could be a value is. */
final class QueryNamesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                     | ''",
        "a=1                                    | a",
        "a=1&b=2&a=3                            | a,b,a",
        "token=s3cret&code=42                   | token,code",
        "filter[price]=1&$top=2                 | filter[price],$top",
        "eyJhbGciOiJIUzI1NiJ9.s3cret            | *",
        "dTpwYXNzd29yZA==                       | *",
        "flag&a=1                               | *,a",
        "flag=                                  | *",
        "=s3cret                                | *",
        "https://x/?reset=s3cret                | *",
        "a%0d%0ab=1                             | *",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=1 | *",
        "a=1&&b=2&                              | a,b",
        "a=b=c                                  | a",
      })
  void query_asSent_tellsNamesOnly(String query, String names) {
    assertThat(QueryNames.of(query)).isEqualTo(names);
  }

  @ParameterizedTest
  @CsvSource({"10000", "100000"})
  void query_endless_isCut(int pairs) {
    assertThat(QueryNames.of("name=1&".repeat(pairs))).hasSizeLessThan(300);
  }
}
