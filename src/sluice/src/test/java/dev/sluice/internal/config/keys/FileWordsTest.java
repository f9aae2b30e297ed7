package dev.sluice.internal.config.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Endpoint;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs show limits in the keys and values of the file. */
class FileWordsTest {

    private static Endpoint endpoint(String keys) {
        try (Sluice sluice = Sluice.builder()
                .config(new GivenFile("endpoints: [ { id: api, pathPattern: /api/**, per: [ ip ], " + keys + " } ]"))
                .open()) {
            return sluice.limits().endpoints().get(0);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        period: 10s, threshold: 9                       | algorithm=fixed-window, threshold=9
        period: 1m, threshold: 2, algorithm: token-bucket, burst: 6 | algorithm=token-bucket, threshold=2, burst=6
        period: 1m, threshold: 6, algorithm: sliding-window, subWindows: 3 | threshold=6, subWindows=3
        threshold: 5, algorithm: concurrency, scope: server | threshold=5, scope=server
        period: 10s, threshold: 100, tolerance: 12.5%   | threshold=100, tolerance=12.5%
        period: 10s, threshold: 2, block: { after: 2, within: 60s, for: 10m } | block={after=2, within=1m, for=10m}
        period: 10s, threshold: 2, block: { after: 2, within: 60s, for: 10m, upTo: 1h } | for=10m, upTo=1h}
        """)
    void aTierHasItsKeys(String written, String shown) {
        assertThat(FileWords.of(endpoint("tiers: [ { " + written + " } ]")
                                .tiers()
                                .get(0))
                        .toString())
                .contains(shown);
    }

    @Test
    void aQueueHasItsLengthAndItsLongestWait() {
        assertThat(FileWords.of(
                        endpoint("tiers: [ { period: 1m, threshold: 60, algorithm: leaky-bucket, queue: 9, maxWait: 9s"
                                        + " } ]")
                                .tiers()
                                .get(0)))
                .containsEntry("queue", 9L)
                .containsEntry("maxWait", "9s");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        4xx            | 4xx
        401, 5xx, 403  | 401 403 5xx
        """)
    void aClassOfStatusesIsOneWord(String written, String shown) {
        assertThat(FileWords.countedStatuses(
                        endpoint("count: { status: [ " + written + " ] }, tiers: [ { period: 10s, threshold: 9 } ]")))
                .isEqualTo(List.of(shown.split(" ")));
    }
}
