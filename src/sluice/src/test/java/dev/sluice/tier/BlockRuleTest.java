package dev.sluice.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Each block in a row lasts twice as long as the one before, up to the longest. */
class BlockRuleTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static long[] minutes(BlockRule rule) {
        return LongStream.rangeClosed(1, 5)
                .map(number -> rule.millis((int) number) / MINUTE.toMillis())
                .toArray();
    }

    @Test
    void doublesUpToTheLongest() {
        assertThat(minutes(new BlockRule(3, MINUTE, MINUTE, Duration.ofMinutes(5))))
                .containsExactly(1, 2, 4, 5, 5);
    }

    @Test
    void blocksLastEquallyLongWithoutALongest() {
        assertThat(minutes(new BlockRule(3, MINUTE, MINUTE))).containsExactly(1, 1, 1, 1, 1);
    }

    @Test
    void neverOverflowsAfterManyBlocks() {
        BlockRule rule = new BlockRule(3, MINUTE, MINUTE, BlockRule.LONGEST);
        assertThat(rule.millis(Integer.MAX_VALUE)).isEqualTo(BlockRule.LONGEST.toMillis());
    }

    @Test
    void rejectsImpossibleFigures() {
        assertThatThrownBy(() -> new BlockRule(0, MINUTE, MINUTE)).hasMessage("after must be from 1 to 1000, but is 0");
        assertThatThrownBy(() -> new BlockRule(3, Duration.ZERO, MINUTE))
                .hasMessage("within must be from PT0.001S to PT1H, but is PT0S");
        assertThatThrownBy(() -> new BlockRule(3, MINUTE, Duration.ZERO))
                .hasMessageStartingWith("lasts must be from PT1S to ");
        assertThatThrownBy(() -> new BlockRule(3, MINUTE, MINUTE, Duration.ofSeconds(1)))
                .hasMessageStartingWith("upTo must be from PT1M to ");
    }
}
