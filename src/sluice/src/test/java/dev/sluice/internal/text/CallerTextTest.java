package dev.sluice.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Subject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallerTextTest {

    private static final Subject ACME = new Subject("tenant", "header:X-Org-Id", "acme");
    private static final Subject EVE = new Subject("user", "principal", "eve");

    @Test
    void isEachSubjectWithItsValue() {
        assertThat(CallerText.of(List.of(ACME))).isEqualTo("tenant=acme");
        assertThat(CallerText.of(List.of(ACME, EVE))).isEqualTo("tenant=acme, user=eve");
        assertThat(CallerText.pair("tenant", "acme")).isEqualTo("tenant=acme");
    }

    @Test
    void isOfAllCallersIfNoSubjectCounts() {
        assertThat(CallerText.of(List.of())).isEqualTo("all callers together");
    }

    @Test
    void marksAddressesThatStandInForAnotherSubject() {
        assertThat(CallerText.of(List.of(new Subject("tenant", "ip", "127.0.0.1"))))
                .isEqualTo("tenant=127.0.0.1 (by ip)");
        assertThat(CallerText.of(List.of(new Subject("ip", "ip", "127.0.0.1")))).isEqualTo("ip=127.0.0.1");
    }

    @Test
    void cannotBeFeignedByAValue() {
        assertThat(CallerText.pair("tenant", "acme, user=eve")).isEqualTo("tenant=\"acme, user=eve\"");
        assertThat(CallerText.pair("tenant", "127.0.0.1 (by ip)")).isEqualTo("tenant=\"127.0.0.1 (by ip)\"");
    }

    @Test
    void mayHaveValuesInAnotherForm() {
        assertThat(CallerText.of(List.of(ACME, EVE), subject -> subject.value() + "…"))
                .isEqualTo("tenant=acme…, user=eve…");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "acme; acme",
                "K\u00fchne-2.org/a_b:c; K\u00fchne-2.org/a_b:c",
                "acme 441; \"acme 441\"",
                "a\"b\\c; \"a\\\"b\\\\c\"",
                "a=b; \"a=b\"",
                "``; \"\""
            })
    void putsNamesInQuotesThatCouldBeTakenForMore(String name, String shown) {
        assertThat(CallerText.quoted(name)).isEqualTo(shown);
    }
}
