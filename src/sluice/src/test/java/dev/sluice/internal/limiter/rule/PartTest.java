package dev.sluice.internal.limiter.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.internal.algorithm.Gcra;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.store.Exchanges;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How instances divide one limit. */
class PartTest {

    private static final long NOW = 1_627_318_800_000L;
    private static final OwnUse NOTHING = new OwnUse(List.of(), List.of(), 0);

    private static CounterKey key(String tenant) {
        return Exchanges.key("e", tenant, NOW, NOW + 10_000);
    }

    private static Outage outage(OnFailure policy, int instances, int rank) {
        return new Outage(policy, new Fleet(instances, rank), NOW - 5_000, false);
    }

    private static Stream<Part> parts(String tenant, int instances) {
        return IntStream.range(0, instances)
                .mapToObj(rank -> outage(OnFailure.SHARE, instances, rank).part(key(tenant), false, NOW));
    }

    @Test
    void partsSumToTheNumber() {
        for (int instances : new int[] {1, 2, 3, 7, 20}) {
            for (long number = -25; number < 200; number++) {
                long all = number;
                assertThat(parts("acme", instances)
                                .mapToLong(part -> part.of(all))
                                .sum())
                        .as("%d over %d", number, instances)
                        .isEqualTo(number);
            }
        }
    }

    @Test
    void theRemainderGoesToDifferentInstancesForDifferentCallers() {
        assertThat(IntStream.range(0, 50)
                        .mapToObj(tenant ->
                                parts("t" + tenant, 7).map(part -> part.of(1)).toList())
                        .distinct())
                .hasSize(7);
    }

    @Test
    void anUnknownRankGetsNoRemainder() {
        Outage unheard = new Outage(OnFailure.SHARE, Fleet.assumed(3), NOW, false);
        assertThat(unheard.part(key("acme"), false, NOW).of(101)).isEqualTo(33);
        Outage alone = new Outage(OnFailure.SHARE, Fleet.assumed(1), NOW, false);
        assertThat(alone.part(key("acme"), false, NOW).of(101)).isEqualTo(101);
    }

    @Test
    void otherPoliciesDivideNothing() {
        for (OnFailure policy : List.of(OnFailure.LOCAL, OnFailure.ALLOW, OnFailure.DENY)) {
            assertThat(outage(policy, 3, 0).part(key("acme"), false, NOW)).isEqualTo(Part.WHOLE);
        }
    }

    @Test
    void onlyWhereInstancesDivideALimitTheyKeepToTheirPartsUntilOthersHaveReported() {
        assertThat(outage(OnFailure.SHARE, 3, 1).over())
                .isNotNull()
                .extracting("isOver")
                .isEqualTo(true);
        assertThat(outage(OnFailure.SHARE, 1, 0).over()).isNull();
        for (OnFailure policy : List.of(OnFailure.LOCAL, OnFailure.ALLOW, OnFailure.DENY)) {
            assertThat(outage(policy, 3, 0).over()).isNull();
        }
    }

    @Test
    void theLeastNumberWithAPartHasIt() {
        Stream.concat(parts("acme", 7), Stream.of(new Part(7, 7, 0)))
                .forEach(part -> LongStream.range(1, 50).forEach(own -> {
                    long number = part.leastWithPart(own);
                    assertThat(part.of(number)).isEqualTo(own);
                    assertThat(part.of(number - 1)).isEqualTo(own - 1);
                }));
    }

    @Test
    void bucketsOfAllTogetherHaveWhatTheWholeBucketHasThenAndLater() {
        SharedBucket whole = new SharedBucket(Gcra.of(50, 10_000, 40));
        long arrival = whole.gcra().charge(0, 27, NOW - 1_130); // 13 tokens are left, and 5.65 have flowed in since
        FleetUsage fleet = whole.usageAfter(new Grant(arrival, 0, 0), NOW);
        List<FleetUsage> alone =
                parts("acme", 3).map(part -> fleet.alone(part, NOTHING, NOW)).toList();
        assertThat(fleet.left(NOW)).isEqualTo(18);
        assertThat(sum(alone, NOW)).isEqualTo(18);
        assertThat(alone.get(0).left(NOW)).isEqualTo(6);
        assertThat(sum(alone, NOW + 2_470)).isEqualTo(3 * 10); // each has 10.33: the whole has 31
        assertThat(sum(alone, NOW + 60_000)).isEqualTo(40);
    }

    private static long sum(List<FleetUsage> parts, long now) {
        return parts.stream().mapToLong(part -> part.left(now)).sum();
    }
}
