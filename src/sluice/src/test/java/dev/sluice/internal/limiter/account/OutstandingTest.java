package dev.sluice.internal.limiter.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.Batch.Use;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutstandingTest {

    /** Two instances report to a store what they have admitted. */
    @Nested
    class WhatAStatementAddsBeyondTheCap {

        private static final long CAP = 100;
        private static final CounterKey KEY =
                new CounterKey("a", "*", "1h", List.of(new Subject("tenant", "ip", "x")), 0, 3_600_000);

        private final InMemoryCounterStore store = new InMemoryCounterStore(() -> Instant.ofEpochMilli(1_000), 100);
        private final Map<String, Long> held = new HashMap<>();
        private long sequence;

        /** What that instance admitted beyond the cap, as computed from the answer to this report. */
        private long over(String instance, long used, long holds, long wanted, Rule rule) {
            Statement statement = new Statement(KEY, List.of(new Use(0, used)), holds, Need.NONE, wanted, 60_000, rule);
            Grant grant = store.exchange(new Batch(instance, ++sequence, List.of(statement)))
                    .toCompletableFuture()
                    .join()
                    .grants()
                    .get(0);
            long before = held.getOrDefault(instance, 0L);
            held.put(instance, holds + grant.granted());
            return Outstanding.overLimit(statement, grant, before);
        }

        private long over(String instance, long used, long holds, long wanted) {
            return over(instance, used, holds, wanted, new Rule.Total(CAP));
        }

        @Test
        void addsUpToWhatAllHaveAdmittedBeyondIt() {
            assertThat(over("one", 60, 0, 0)).isZero();
            assertThat(over("other", 45, 0, 0)).isEqualTo(5);
            assertThat(over("one", 7, 0, 0)).isEqualTo(7);
            assertThat(over("other", 0, 0, 0)).isZero();
        }

        @Test
        void isNothingWhereCallsTakeWhatWasGranted() {
            assertThat(over("one", 60, 0, 20)).isZero();
            assertThat(over("other", 10, 0, 20)).isZero();
            assertThat(over("one", 20, 0, 0)).isZero();
            assertThat(over("other", 10, 0, 0)).isZero();
            assertThat(over("one", 3, 0, 0)).isEqualTo(3);
        }

        @Test
        void isNothingForWhatIsStillHeld() {
            assertThat(over("one", 0, 0, 80)).isZero();
            assertThat(over("one", 10, held.get("one") - 10, 0)).isZero();
            assertThat(over("other", 100 - held.get("one") - 10, 0, 0)).isZero();
        }

        /**
         * The answer says what is counted after the statement; what was counted before follows from what the statement
         * said.
         */
        @ParameterizedTest
        @CsvSource({
            "5, 3, 6, 2, 12, 2",
            "2, 0, 0, 4, 14, 4",
            "5, 0, 6, 0, 20, 0",
            "5, 0, 2, 0, 20, 3",
            "9, 0, 0, 0, 10, 0"
        })
        void isWhatItsUseAndGrantAdd(long used, long holds, long heldBefore, long granted, long total, long over) {
            Statement statement =
                    new Statement(KEY, List.of(new Use(0, used)), holds, Need.NONE, 0, 60_000, new Rule.Total(10));
            assertThat(Outstanding.overLimit(statement, new Grant(total, granted, 0), heldBefore))
                    .isEqualTo(over);
        }

        @Test
        void isNotKnownOfLimitsThatGiveSomethingBackMeanwhile() {
            assertThat(over("one", 170, 0, 0, new Rule.Frame(CAP, 4))).isZero();
        }
    }
}
