package dev.sluice.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Subject;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallerNamesTest {

    private static final Subject ACME = new Subject("tenant", "header:X-Org-Id", "k-1");
    private static final Subject EVE = new Subject("user", "principal", "eve");
    private static final CallerNames NAMES = subject -> subject.equals(ACME) ? "Acme Ltd" : null;

    @Test
    void replacesTheSubjectsThatHaveOne() {
        assertThat(NAMES.of(List.of(ACME))).isEqualTo("Acme Ltd");
        assertThat(NAMES.of(List.of(ACME, EVE))).isEqualTo("Acme Ltd, user=eve");
    }

    @Test
    void isEmptyIfNoSubjectHasOne() {
        assertThat(NAMES.of(List.of(EVE))).isEmpty();
        assertThat(NAMES.of(List.of())).isEmpty();
    }
}
