package dev.sluice.internal.config.tier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import dev.sluice.tier.Tier;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** People read a tier as a text with all its figures; programs read the keys and values of the file. */
class TierNotationTest {

    private static List<Tier> tiers(String written) {
        try (Sluice sluice = Sluice.builder()
                .config(new GivenFile(
                        "endpoints: [ { id: api, pathPattern: /api/**, per: [ ip ], tiers: [ " + written + " ] } ]"))
                .open()) {
            return sluice.limits().endpoints().get(0).tiers();
        }
    }

    private static Tier tier(String written) {
        return tiers("{ " + written + " }").get(0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        period: 10s, threshold: 9                       | 9 in 10s
        period: month, threshold: 9                     | 9 in a month
        period: month, threshold: 9, zone: Europe/Berlin | 9 in a month in Europe/Berlin
        period: 1m, threshold: 2, algorithm: token-bucket, burst: 6 | 2 in 1m by token-bucket, burst 6
        period: 1m, threshold: 6, algorithm: sliding-window, subWindows: 3 | 6 in 1m by sliding-window, subWindows 3
        period: 1m, threshold: 6, algorithm: sliding-log | 6 in 1m by sliding-log
        period: 1m, threshold: 60, algorithm: leaky-bucket | 60 in 1m by leaky-bucket
        period: 1m, threshold: 60, algorithm: leaky-bucket, queue: 9, maxQueueTime: 9s | 60 in 1m by leaky-bucket, queue 9, maxQueueTime 9s
        threshold: 5, algorithm: concurrency, scope: server | 5 at once, scope server
        period: 10s, threshold: 100, tolerance: 12.5%   | 100 in 10s, tolerance 12.5%
        period: 10s, threshold: 100, elastic: { upTo: 150%, whileLoadBelow: 60% } | 100 in 10s, up to 150% while load is below 60%
        period: 10s, threshold: 2, block: { after: 1, within: 60s, for: 10m } | 2 in 10s, blocks for 10m after 1 refusal within 1m
        period: 10s, threshold: 2, block: { after: 2, within: 60s, for: 10m, upTo: 1h } | 2 in 10s, blocks for 10m up to 1h after 2 refusals within 1m
        """)
    void aTextHasAllFigures(String written, String shown) {
        assertThat(TierNotation.text(tier(written))).isEqualTo(shown);
        assertThat(TierNotation.words(tier(written))).containsEntry("text", shown);
    }

    @Test
    void severalTiersAreOneText() {
        assertThat(TierNotation.text(tiers("{ period: 1s, threshold: 9 }, { period: 1h, threshold: 99 }")))
                .isEqualTo("9 in 1s; 99 in 1h");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        period: 10s, threshold: 9                       | algorithm=fixed-window, period=10s, threshold=9}
        period: month, threshold: 9, zone: Europe/Berlin | period=month, zone=Europe/Berlin, threshold=9}
        period: 1m, threshold: 2, algorithm: token-bucket, burst: 6 | threshold=2, burst=6}
        period: 1m, threshold: 6, algorithm: sliding-window, subWindows: 3 | threshold=6, subWindows=3}
        threshold: 5, algorithm: concurrency, scope: server | algorithm=concurrency, threshold=5, scope=server}
        period: 1m, threshold: 60, algorithm: leaky-bucket, queue: 9, maxQueueTime: 9s | queue=9, maxQueueTime=9s}
        period: 10s, threshold: 100, tolerance: 12.5%   | threshold=100, tolerance=12.5%}
        period: 10s, threshold: 2, block: { after: 2, within: 60s, for: 10m } | block={after=2, within=1m, for=10m}}
        period: 10s, threshold: 2, block: { after: 2, within: 60s, for: 10m, upTo: 1h } | for=10m, upTo=1h}}
        """)
    void aTierHasItsKeys(String written, String shown) {
        assertThat(TierNotation.words(tier(written)).toString()).endsWith(shown);
    }

    @Test
    void anElasticTierHasBothPercentages() {
        assertThat(TierNotation.words(
                        tier("period: 10s, threshold: 100, elastic: { upTo: 150%, whileLoadBelow: 60% }")))
                .containsEntry("elastic", Map.of("upTo", "150%", "whileLoadBelow", "60%"));
    }
}
