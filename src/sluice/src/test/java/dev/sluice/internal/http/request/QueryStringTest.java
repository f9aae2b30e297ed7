package dev.sluice.internal.http.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
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
        assertThat(QueryString.first(query, "org", 0)).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({"a=org", "xorg=1", "org2=1", "Org=1", "=org", "''", "&"})
    void findsNothingIfTheParameterIsMissing(String query) {
        assertThat(QueryString.first(query, "org", 0)).isNull();
    }

    @Test
    void findsNothingWithoutAQuery() {
        assertThat(QueryString.first(null, "org", 0)).isNull();
    }

    @Test
    void readsALongQueryQuickly() {
        String padding = "&".repeat(1_000_000);
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(5),
                () -> assertThat(QueryString.first(padding + "org=acme", "org", 0))
                        .isEqualTo("acme"));
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(5),
                () -> assertThat(QueryString.readings(padding + "a=%41")).isEqualTo(1));
    }

    @ParameterizedTest
    @CsvSource({"org=acme", "org=a%20b+c", "a&b=%c3%a9&", "''"})
    void mostQueriesAreReadInOneWay(String query) {
        assertThat(QueryString.readings(query)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {
                "org=%zz&org=acme, %zz, acme, %zz",
                "org=%&org=acme, %, acme, %",
                "org=acme%4, acme%4, null, acme%4",
                "org=%\uff13\uff17&org=acme, %\uff13\uff17, acme, %\uff13\uff17",
                "%6frg=x&org=acme, x, x, acme",
                "%zzorg=x&org=acme, acme, acme, acme",
                "o+g=x&org=acme, acme, acme, acme"
            })
    void anOddOneIsReadAsEachContainerReadsIt(String query, String asText, String dropped, String namesAsSent) {
        assertThat(IntStream.range(0, QueryString.readings(query)).mapToObj(i -> QueryString.first(query, "org", i)))
                .containsExactly(asText, dropped, namesAsSent);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {"=org=acme, null, acme", "org=x&==%6frg=acme, x, x", "==org=acme&org=x, x, acme", "=&org=x, x, x"})
    void aReadingOfItsOwnSkipsEqualsSignsBeforeAName(String query, String asText, String skipped) {
        assertThat(QueryString.readings(query)).isEqualTo(4);
        assertThat(QueryString.first(query, "org", 0)).isEqualTo(asText);
        assertThat(QueryString.first(query, "org", 3)).isEqualTo(skipped);
    }
}
