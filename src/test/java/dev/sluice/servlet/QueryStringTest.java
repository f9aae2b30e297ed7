package dev.sluice.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryStringTest {

    @ParameterizedTest
    @CsvSource({
        "org=acme, acme",
        "a=b&org=acme&c=d, acme",
        "org=first&org=second, first",
        "org=a+b, a b",
        "org=a%20b, a b",
        "org=caf%c3%a9, café",
        "%6frg=acme, acme",
        "org=a=b, a=b",
        "org=100%, 100%",
        "org=%zz, %zz",
        "org=%4, %4",
        "&&org=acme, acme",
        "org, ''",
        "org=, ''",
        "org&org=acme, ''"
    })
    void findsTheFirstValueAndDecodesIt(String query, String value) {
        assertThat(QueryString.first(query, "org")).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({"a=org", "xorg=1", "org2=1", "Org=1", "=org", "''", "&"})
    void findsNothingWhereThereIsNothing(String query) {
        assertThat(QueryString.first(query, "org")).isNull();
    }

    @Test
    void findsNothingWithoutAQuery() {
        assertThat(QueryString.first(null, "org")).isNull();
    }

    @Test
    void looksNoFurtherThanACallerMayReasonablyWrite() {
        assertThat(QueryString.first("&".repeat(16_384) + "org=acme", "org")).isNull();
    }
}
