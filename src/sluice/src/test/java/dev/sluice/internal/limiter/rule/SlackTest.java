package dev.sluice.internal.limiter.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much an instance may use before the store has granted it. */
class SlackTest {

    @ParameterizedTest
    @CsvSource({"50, 0", "99, 0", "100, 1", "199, 1", "700, 7"})
    void isAHundredthOfTheThresholdWhateverMayPassBeyond(long threshold, long slack) {
        Tier doubled =
                new Tier("t", new Limit.FixedWindow(threshold, Duration.ofHours(1)), new Overage.Soft(1), Sync.DEFAULT);
        assertThat(Slack.of(doubled, 2 * threshold, 0, 3_600_000).most()).isEqualTo(slack);
    }
}
