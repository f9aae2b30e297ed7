package dev.sluice.internal.match.condition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpectedValuesTest {

    private final ExpectedValues values = new ExpectedValues(List.of("acme", "test-*", "*"));

    @ParameterizedTest
    @CsvSource({"acme, true", "test-1, true", "acm, false", "atest-1, false", "'', false"})
    void holdForAnExactValueOrAGlob(String value, boolean holds) {
        assertThat(new ExpectedValues(List.of("acme", "test-*")).holds(value)).isEqualTo(holds);
    }

    @Test
    void aStarDoesNotMatchAMissingValue() {
        assertThat(values.holds("")).isFalse();
        assertThat(values.holds("x")).isTrue();
    }

    @Test
    void areEqualInAnyOrder() {
        ExpectedValues same = new ExpectedValues(List.of("*", "test-*", "acme"));
        assertThat(same).isEqualTo(values).hasSameHashCodeAs(values);
        assertThat(new ExpectedValues(List.of("acme"))).isNotEqualTo(values).isNotEqualTo("acme");
        assertThat(values.hashCode()).isNotZero();
    }

    @Test
    void readAsTheFileHasThem() {
        assertThat(values).hasToString("[ acme, test-*, * ]");
        assertThat(new ExpectedValues(List.of("acme"))).hasToString("acme");
    }
}
