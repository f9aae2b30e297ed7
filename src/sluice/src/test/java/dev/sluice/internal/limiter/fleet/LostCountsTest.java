package dev.sluice.internal.limiter.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Gift;
import dev.sluice.exchange.Batch.Loss;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.internal.limiter.simulation.CallPattern;
import dev.sluice.internal.limiter.sync.ManualSynchroniser;
import dev.sluice.limits.SharingOptions.OnFailure;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One instance whose store has lost its reports, step by step, with its clock set by hand. */
@Timeout(60)
class LostCountsTest {

    @Nested
    class Losses {

        private final ManualSynchroniser machine = ManualSynchroniser.deciding(OnFailure.DENY);

        private long toldAgain(Loss loss) {
            machine.losses = List.of(loss);
            int before = machine.statements().size();
            machine.pass(3_000);
            return machine.told(before);
        }

        @Test
        void anEmptyStoreGetsAllReportsAgain() {
            machine.call("a");
            machine.pass(2_000);
            machine.call("a");
            machine.pass(2_000);
            assertThat(toldAgain(new Loss(Loss.ALL_SHARDS, 0))).isEqualTo(2);
        }

        @Test
        void aStoreThatLaggedGetsTheLaterBatchesAgain() {
            machine.call("a");
            machine.pass(2_000);
            long known = machine.batches.get(machine.batches.size() - 1).sequence();
            machine.call("a");
            machine.pass(2_000);
            assertThat(toldAgain(new Loss(Loss.ALL_SHARDS, known))).isEqualTo(1);
        }

        @Test
        void anEmptyStoreIsToldAgainWhatWasGiven() {
            machine.call("a");
            machine.pass(2_000);
            Statement last = machine.lastStatement();
            machine.exchangeOfOther(
                    new Statement(last.key(), List.of(), 0, Need.NONE, 0, 1_000, last.rule(), false, new Gift(5, 0)));
            machine.tell(new News(News.Kind.GIVEN, Set.of(last.key().text())));
            machine.pass(2_000);
            toldAgain(new Loss(Loss.ALL_SHARDS, 0));
            assertThat(machine.lastStatement().gift()).isEqualTo(Gift.known(5));
        }

        @Test
        void lossesElsewhereAreNotReportedAgain() {
            machine.call("a");
            machine.pass(2_000);
            int otherShard = (machine.lastStatement().key().shard() + 1) % CounterKey.SHARDS;
            assertThat(toldAgain(new Loss(otherShard, 0))).isZero();
        }
    }

    @Nested
    class LossesOfWhatComesBackWithTime {

        @Test
        void aSecondLossIsAlsoReportedOnce() {
            ManualSynchroniser machine = new ManualSynchroniser(CallPattern.log(10, "PT1H"));
            machine.call("a");
            machine.call("a");
            machine.pass(2_000);
            for (int loss = 0; loss < 3; loss++) {
                machine.losses = List.of(new Loss(Loss.ALL_SHARDS, 0));
                int before = machine.statements().size();
                machine.pass(3_000);
                assertThat(machine.told(before)).isEqualTo(2);
            }
        }

        @Test
        void framesThatStillCountAreReportedAgain() {
            ManualSynchroniser machine = new ManualSynchroniser(CallPattern.sliding(10, "PT1M", 4));
            machine.call("a");
            machine.call("a");
            machine.pass(20_000);
            machine.call("a");
            machine.pass(2_000);
            machine.losses = List.of(new Loss(Loss.ALL_SHARDS, 0));
            int before = machine.statements().size();
            machine.pass(3_000);
            assertThat(machine.told(before)).isEqualTo(3);
            assertThat(machine.statements().stream()
                            .skip(before)
                            .map(statement -> statement.key().start())
                            .distinct())
                    .hasSize(2);
        }
    }
}
