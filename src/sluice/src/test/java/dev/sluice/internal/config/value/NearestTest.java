package dev.sluice.internal.config.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {

    private final List<String> known = List.of("threshold", "period", "algorithm", "id");

    @ParameterizedTest
    @CsvSource({
        "treshold, threshold",
        "THRESHOLD, threshold",
        "peroid, period",
        "algoritm, algorithm",
        "di, id",
        "ids, id"
    })
    void isFewEditsAway(String word, String nearest) {
        assertThat(Nearest.to(word, known)).isEqualTo(nearest);
    }

    @Test
    void isNoneIfAllAreFarOff() {
        assertThat(Nearest.to("burgers", known)).isNull();
        assertThat(Nearest.to("x", known)).isNull();
        assertThat(Nearest.to("threshold".repeat(100), known)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"'', '', 0", "a, '', 1", "kitten, sitting, 3", "ab, ba, 1", "same, same, 0"})
    void countsEdits(String a, String b, int edits) {
        assertThat(Nearest.distance(a, b)).isEqualTo(edits);
        assertThat(Nearest.distance(b, a)).isEqualTo(edits);
    }
}
