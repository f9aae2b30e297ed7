package dev.sluice.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tier.Limit;
import dev.sluice.tier.Limit.Concurrency.Scope;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A tier is shown with all figures of the file. */
class FileNotationTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static String of(Limit limit) {
        return FileNotation.tier(new Tier("t", limit));
    }

    @Test
    void tellTheFiguresOfEachAlgorithm() {
        assertThat(of(new Limit.FixedWindow(9, MINUTE))).isEqualTo("tier t: fixed-window, threshold 9");
        assertThat(of(new Limit.SlidingWindow(9, MINUTE, 4)))
                .isEqualTo("tier t: sliding-window, threshold 9, subWindows 4");
        assertThat(of(new Limit.SlidingLog(9, MINUTE))).isEqualTo("tier t: sliding-log, threshold 9");
        assertThat(of(new Limit.TokenBucket(9, MINUTE, 3))).isEqualTo("tier t: token-bucket, threshold 9, burst 3");
        assertThat(of(new Limit.LeakyBucket(9, MINUTE, 0, Duration.ZERO)))
                .isEqualTo("tier t: leaky-bucket, threshold 9");
        assertThat(of(new Limit.LeakyBucket(9, MINUTE, 5, Duration.ofSeconds(2))))
                .isEqualTo("tier t: leaky-bucket, threshold 9, queue 5, maxWait 2000ms");
        assertThat(of(new Limit.Concurrency(9, Scope.SERVER)))
                .isEqualTo("tier t: concurrency, threshold 9, scope server");
    }

    @Test
    void tellWhatPassesBeyond() {
        Limit limit = new Limit.FixedWindow(100, MINUTE);
        assertThat(FileNotation.tier(new Tier("t", limit, new Overage.Soft(0.125), Sync.DEFAULT)))
                .endsWith("threshold 100, tolerance 12.5%");
        assertThat(FileNotation.tier(new Tier("t", limit, new Overage.Elastic(1.5, 0.6), Sync.DEFAULT)))
                .endsWith("threshold 100, up to 150% while load is below 60%");
    }
}
