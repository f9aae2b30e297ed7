package dev.sluice.internal.limiter.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.tier.BlockRule;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The blocks that an instance knows are bounded in number, and the later one of two of a caller holds. */
class BlocksTest {

    private static final Tier AT_ONCE =
            tier(new BlockRule(1, Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofMinutes(8)));

    private long elapsedMillis;
    private final Blocks blocks = new Blocks(() -> elapsedMillis * 1_000_000);
    private final CallerBlocks callers = blocks.of("e", "*", "1s", List.of("user"), List.of("principal"));

    private static Tier tier(BlockRule rule) {
        return new Tier("1s", new Limit.FixedWindow(7, Duration.ofSeconds(1))).withBlock(rule);
    }

    private static CounterKey key(String user) {
        return new CounterKey("e", "*", "1s", List.of(new Subject("user", "principal", user)), 0, 0);
    }

    private static Block block(String user, long since, long until, int number) {
        return new Block(key(user), since, until, number);
    }

    private void learn(Block... others) {
        blocks.learn(List.of(others), 0);
    }

    private Block begin(String user, long nowMillis) {
        Block begun = callers.refused(key(user), user, AT_ONCE, nowMillis, false);
        assertThat(begun).isNotNull();
        return begun;
    }

    @Test
    void blocksOfOtherInstancesAreFoundByACallsValues() {
        learn(block("eve", 0, 100, 1));
        assertThat(callers.find("eve", 99, false)).isEqualTo(block("eve", 0, 100, 1));
        assertThat(callers.find("eve", 100, false)).isNull();
        assertThat(callers.find("eve", 99, true)).isNull();
        assertThat(callers.find("ann", 99, false)).isNull();
        assertThat(blocks.begun()).isEmpty();
    }

    @Test
    void aCallerOfSeveralSubjectsIsFoundByTheListOfTheirValues() {
        CallerBlocks pairs = blocks.of("e", "*", "1s", List.of("tenant", "ip"), List.of("header:T", "ip"));
        List<Subject> acme = List.of(new Subject("tenant", "header:T", "acme"), new Subject("ip", "ip", "192.0.2.1"));
        learn(new Block(new CounterKey("e", "*", "1s", acme, 0, 0), 0, 100, 1));
        assertThat(pairs.find(List.of("acme", "192.0.2.1"), 1, false)).isNotNull();
        assertThat(pairs.find(List.of("acme", "192.0.2.2"), 1, false)).isNull();
    }

    @Test
    void ofTwoBlocksOfACallerTheLaterOneHolds() {
        learn(block("eve", 10, 100, 1), block("eve", 5, 900, 1));
        assertThat(blocks.find(key("eve"))).isEqualTo(block("eve", 10, 100, 1));
        learn(block("eve", 11, 50, 0));
        assertThat(callers.find("eve", 60, false)).isNull();
    }

    @Test
    void aBlockKnowsItsCause() {
        assertThat(begin("eve", 0).cause()).isEqualTo(new Block.Cause(1, 1_000, 7, 1_000));
    }

    @Test
    void theNextBlockIsLongerAlsoIfTheLastOneBeganElsewhere() {
        learn(block("eve", 0, 100, 3));
        assertThat(begin("eve", 200).number()).isEqualTo(4);
        assertThat(begin("eve", 200).untilMillis())
                .isEqualTo(200 + Duration.ofMinutes(8).toMillis());
    }

    @Test
    void afterAnOperatorHasEndedABlockTheNextOneIsTheFirst() {
        learn(block("eve", 0, 100, 0));
        assertThat(begin("eve", 200).number()).isEqualTo(1);
    }

    @Nested
    class AfterTheClockWasSetBack {

        private static final long NOON = 1_000_000_000;
        private static final long ELEVEN = NOON - 3_600_000;

        @Test
        void aBlockLastsAsLongAsItWasMeantTo() {
            begin("eve", NOON);
            blocks.learn(List.of(block("ann", NOON, NOON + 60_000, 1)), NOON);
            elapsedMillis = 20_000;
            assertThat(blocks.followStepBack(ELEVEN)).hasSize(2);
            assertThat(callers.find("eve", ELEVEN + 39_999, false)).isNotNull();
            assertThat(callers.find("eve", ELEVEN + 40_000, false)).isNull();
            assertThat(blocks.followStepBack(ELEVEN)).isEmpty();
        }

        @Test
        void anUnreportedBlockIsReportedWithItsNewEnd() {
            begin("eve", NOON);
            blocks.followStepBack(ELEVEN);
            assertThat(blocks.begun())
                    .extracting(one -> one.block().untilMillis())
                    .containsExactly(ELEVEN + 60_000);
        }

        @Test
        void theNextBlockReplacesTheOneBefore() {
            Block before = begin("eve", NOON);
            elapsedMillis = 60_000;
            blocks.followStepBack(ELEVEN);
            Block next = begin("eve", ELEVEN);
            assertThat(next.replaces(before)).isTrue();
            assertThat(next.number()).isEqualTo(2);
            assertThat(next.untilMillis()).isEqualTo(ELEVEN + 120_000);
        }

        @Test
        void clocksThatDriftChangeNothing() {
            begin("eve", NOON);
            elapsedMillis = 20_000;
            assertThat(blocks.followStepBack(NOON + 19_001)).isEmpty();
        }
    }

    @Test
    void ownBlocksAreKeptUntilTheyAreReported() {
        Block begun = begin("eve", 0);
        List<KnownBlock> first = blocks.begun();
        assertThat(first).extracting(KnownBlock::block).containsExactly(begun);
        Block second = begin("eve", 1);
        blocks.reported(first);
        assertThat(blocks.begun()).extracting(KnownBlock::block).containsExactly(second);
        blocks.reported(blocks.begun());
        assertThat(blocks.begun()).isEmpty();
        assertThat(blocks.all()).containsExactly(second);
    }

    @Test
    void sweepingForgetsBlocksAfterADayOfCalm() {
        long forgotten = begin("eve", 0).untilMillis() + Block.CALM.toMillis();
        blocks.sweep(forgotten - 1);
        assertThat(blocks.all()).hasSize(1);
        blocks.sweep(forgotten);
        assertThat(blocks.all()).isEmpty();
        assertThat(blocks.begun()).isEmpty();
    }

    @Test
    void sweepingForgetsThoseThatEndFirstIfThereAreTooMany() {
        IntStream.range(0, Block.MOST + 7).forEach(i -> begin("user-" + i, i));
        blocks.sweep(Block.MOST + 7);
        assertThat(blocks.all()).hasSize(Block.MOST).allMatch(block -> block.sinceMillis() >= 7);
    }

    /** Anybody can send forwarding headers that contradict each other, and so get all who do so blocked. */
    @Test
    void callersWithUnknownAddressesAreNotBlocked() {
        CallerBlocks addresses = blocks.of("e", "*", "1s", List.of("caller"), List.of("ip"));
        for (String address : List.of("behind 10.1.1.1", "10.1.1.1")) {
            CounterKey key = new CounterKey("e", "*", "1s", List.of(new Subject("caller", "ip", address)), 0, 0);
            addresses.refused(key, address, AT_ONCE, 0, false);
        }
        assertThat(addresses.find("behind 10.1.1.1", 1, false)).isNull();
        assertThat(addresses.find("10.1.1.1", 1, false)).isNotNull();
    }

    @Nested
    class InAFloodOfInventedTenants {

        private final CallerBlocks pairs =
                blocks.of("api", "*", "1s", List.of("ip", "tenant"), List.of("ip", "header:X-Org-Id"));
        private final Tier longer = tier(new BlockRule(1, Duration.ofSeconds(1), Duration.ofHours(1)));

        private void flood(int tenants) {
            for (int i = 0; i < tenants; i++) {
                Subject address = new Subject("ip", "ip", "192.0.2.1");
                Subject tenant = new Subject("tenant", "header:X-Org-Id", "t" + i);
                CounterKey key = new CounterKey("api", "*", "1s", List.of(address, tenant), 0, 0);
                pairs.refused(key, List.of("192.0.2.1", "t" + i), longer, i, false);
            }
        }

        @Test
        void verifiedCallersStayBlocked() {
            begin("eve", 0);
            flood(2 * Block.MOST);
            blocks.sweep(0);
            assertThat(callers.find("eve", 0, false)).isNotNull();
            assertThat(blocks.all()).hasSize(Block.MOST);
        }

        @Test
        void blocksOfVerifiedCallersBegin() {
            flood(3 * Block.MOST);
            blocks.sweep(0);
            flood(3 * Block.MOST);
            begin("eve", 0);
            blocks.sweep(0);
            assertThat(callers.find("eve", 0, false)).isNotNull();
        }

        @Test
        void halfOfTheRoomIsLeftToEitherOrigin() {
            flood(Block.MOST);
            IntStream.range(0, Block.MOST).forEach(i -> begin("user-" + i, i));
            blocks.sweep(0);
            assertThat(pairs.known()).hasSize(Block.MOST / 2);
            assertThat(callers.known()).hasSize(Block.MOST / 2);
        }
    }

    @Test
    void noneBeginsWhileThereAreTwiceAsManyAsAreKept() {
        List<Block> many = new ArrayList<>();
        IntStream.range(0, 2 * Block.MOST).forEach(i -> many.add(block("user-" + i, 0, 1_000 + i, 1)));
        blocks.learn(many, 0);
        assertThat(callers.refused(key("eve"), "eve", AT_ONCE, 0, false)).isNull();
        blocks.sweep(0);
        assertThat(callers.refused(key("eve"), "eve", AT_ONCE, 1, false)).isNotNull();
    }

    /** Those who go on are told apart from a flood of others who are refused once each. */
    @Test
    void refusalsOfVeryManyCallersTakeABoundedRoom() {
        Tier rule = tier(new BlockRule(1_000, Duration.ofHours(1), Duration.ofMinutes(1)));
        for (int i = 0; i < 100_000; i++) {
            assertThat(callers.refused(key("user-" + i), "user-" + i, rule, i, false))
                    .isNull();
        }
        assertThat(blocks.timesKept()).isLessThanOrEqualTo(500_000);
    }

    /** However many refusals a block needs. */
    @Test
    void allOfAFloodThatGoesOnAreBlocked() {
        int flood = 5_000;
        Tier rule = tier(new BlockRule(200, Duration.ofHours(1), Duration.ofMinutes(1)));
        int begun = 0;
        for (int i = 0; i < 200; i++) {
            for (int user = 0; user < flood; user++) {
                String name = "user-" + user;
                begun += callers.refused(key(name), name, rule, i, false) == null ? 0 : 1;
            }
        }
        assertThat(begun).isEqualTo(flood);
    }

    @Test
    void aChangedRuleCountsFromZero() {
        Tier three = tier(new BlockRule(3, Duration.ofHours(1), Duration.ofMinutes(1)));
        Tier two = tier(new BlockRule(2, Duration.ofHours(1), Duration.ofMinutes(1)));
        callers.refused(key("eve"), "eve", three, 0, false);
        callers.refused(key("eve"), "eve", three, 0, false);
        assertThat(callers.refused(key("eve"), "eve", two, 0, false)).isNull();
        assertThat(callers.refused(key("eve"), "eve", two, 0, false)).isNotNull();
    }
}
