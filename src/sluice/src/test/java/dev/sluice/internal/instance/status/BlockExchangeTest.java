package dev.sluice.internal.instance.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.RateLimitListener;
import dev.sluice.Subject;
import dev.sluice.TestClock;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.limiter.block.Blocks;
import dev.sluice.internal.store.admin.BlockStore;
import dev.sluice.internal.store.admin.InMemoryBlockStore;
import dev.sluice.internal.thread.TaskThread;
import dev.sluice.open.RecordingLogger;
import dev.sluice.tier.BlockRule;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import dev.sluice.traffic.CallerNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What an instance tells and learns of blocks, and what its log and its listeners say. */
class BlockExchangeTest {

    private static final Tier AT_ONCE = new Tier("1m", new Limit.FixedWindow(1, Duration.ofMinutes(1)))
            .withBlock(new BlockRule(1, Duration.ofSeconds(1), Duration.ofMinutes(15), Duration.ofHours(24)));

    private final TestClock clock = new TestClock(1_790_000_000_000L);
    private final RecordingLogger log = new RecordingLogger();
    private final Blocks blocks = new Blocks(() -> 0);
    private final Changing store = new Changing();
    private final List<String> events = new ArrayList<>();
    private boolean isUnavailableLogged;

    private final RateLimitListener listener = new RateLimitListener() {
        @Override
        public void onBlock(Block block) {
            events.add("begins " + block.key().subjects().get(0).value());
        }

        @Override
        public void onBlockEnd(Block block) {
            events.add("ends " + block.key().subjects().get(0).value());
        }
    };

    private final BlockExchange exchange = new BlockExchange(
            log,
            blocks,
            store,
            clock::millis,
            listener,
            CallerNames.NONE,
            () -> isUnavailableLogged,
            new TaskThread("test"));

    /** A store that may be unavailable, and may lose all. */
    private final class Changing implements BlockStore {

        private BlockStore kept = new InMemoryBlockStore(clock);
        private @Nullable String unavailable;
        private boolean isLoss;
        private int unavailableAfter = Integer.MAX_VALUE;
        private final List<List<Block>> told = new ArrayList<>();

        @Override
        public CompletionStage<Changes> exchange(String version, List<Block> begun) {
            if (unavailable != null || told.size() >= unavailableAfter) {
                return CompletableFuture.failedFuture(
                        StoreException.unavailable(unavailable == null ? "unavailable" : unavailable, null));
            }
            if (!begun.isEmpty()) {
                told.add(begun);
            }
            boolean wasLoss = isLoss;
            isLoss = false;
            return kept.exchange(wasLoss ? NOTHING : version, begun)
                    .thenApply(now -> new Changes(now.version(), wasLoss, now.hasMore(), now.blocks()));
        }

        void lose() {
            kept = new InMemoryBlockStore(clock);
            isLoss = true;
        }

        @Override
        public CompletionStage<Boolean> unblock(CounterKey key) {
            return kept.unblock(key);
        }
    }

    @AfterEach
    void close() {
        exchange.close();
    }

    private static CounterKey key(String user) {
        return new CounterKey("login", "*", "1m", List.of(new Subject("user", "principal", user)), 0, 0);
    }

    private Block begin(String user, boolean isDryRun) {
        Block begun = blocks.of("login", "*", "1m", List.of("user"), List.of("principal"))
                .refused(key(user), user, AT_ONCE, clock.millis(), isDryRun);
        assertThat(begun).isNotNull();
        return begun;
    }

    private List<Block> kept() {
        return store.kept.all().toCompletableFuture().join();
    }

    @Nested
    class TheLog {

        @Test
        void saysOnceThatABlockBeginsAndOnceThatItIsOver() {
            begin("eve", false);
            exchange.poll();
            clock.advance(Duration.ofMinutes(15).minusMillis(1));
            exchange.poll();
            assertThat(log.entries())
                    .containsExactly("INFO user=eve is blocked at login by tier 1m for 15m, because it kept calling "
                            + "after refusals. The block lasts until 2026-09-21T14:28:20Z");
            clock.advance(Duration.ofMillis(1));
            exchange.poll();
            exchange.poll();
            assertThat(log.entries()).hasSize(2);
            assertThat(log.entries().get(1))
                    .isEqualTo("INFO user=eve is no longer blocked at login by tier 1m: the block has expired");
            assertThat(events).containsExactly("begins eve", "ends eve");
        }

        @Test
        void saysThatItIsNotTheFirst() {
            begin("eve", false);
            clock.advance(Duration.ofMinutes(20));
            begin("eve", false);
            exchange.poll();
            assertThat(log.entries()).singleElement().asString().contains("for 30m (block number 2 in a row),");
        }

        @Test
        void saysThatAnOperatorHasEndedIt() {
            begin("eve", false);
            exchange.poll();
            clock.advance(Duration.ofMinutes(1));
            assertThat(store.unblock(key("eve")).toCompletableFuture().join()).isTrue();
            exchange.poll();
            assertThat(log.entries())
                    .endsWith("INFO user=eve is no longer blocked at login by tier 1m: an operator ended the block");
            assertThat(events).containsExactly("begins eve", "ends eve");
        }

        @Test
        void namesNotMoreThanTwentyAMinute() {
            IntStream.range(0, 50).forEach(i -> begin("user-" + i, false));
            exchange.poll();
            assertThat(log.entries()).hasSize(20);
            clock.advance(Duration.ofMinutes(1));
            begin("eve", false);
            exchange.poll();
            assertThat(log.entries().get(20))
                    .isEqualTo("INFO 30 more callers were blocked within a minute; see sluice limits blocked");
            assertThat(events).hasSize(51);
        }

        @Test
        void saysWhoWouldBeBlockedButForADryRun() {
            begin("eve", true);
            exchange.poll();
            exchange.poll();
            assertThat(log.entries())
                    .containsExactly("INFO user=eve would be blocked (dry run) at login by tier 1m for 15m, because "
                            + "it kept calling after refusals");
            assertThat(events).isEmpty();
            assertThat(kept()).isEmpty();
        }

        @Test
        void saysNothingOfBlocksThatBeganElsewhere() {
            var unused = store.kept.exchange(
                    BlockStore.NOTHING, List.of(new Block(key("eve"), 0, clock.millis() + 60_000, 1)));
            exchange.poll();
            assertThat(blocks.all()).hasSize(1);
            assertThat(log.entries()).isEmpty();
            assertThat(events).isEmpty();
        }
    }

    /** An operator may be faster than the next exchange. */
    @Test
    void aBlockThatWasNotToldYetEndsToo() {
        Block begun = begin("eve", false);
        assertThat(exchange.unblock(key("eve")).toCompletableFuture().join()).isTrue();
        assertThat(exchange.unblock(key("eve")).toCompletableFuture().join()).isFalse();
        exchange.poll();
        assertThat(kept()).singleElement().matches(ended -> ended.number() == 0 && ended.replaces(begun));
        assertThat(blocks.inForce(clock.millis())).isEmpty();
        assertThat(log.entries()).isEmpty();
        assertThat(events).isEmpty();
    }

    @Nested
    class WhileTheStoreIsUnavailable {

        @Test
        void blocksStayInForceAndAreSharedOnceItIsBack() {
            store.unavailable = "the store is unavailable";
            Block begun = begin("eve", false);
            exchange.poll();
            exchange.poll();
            assertThat(blocks.all()).containsExactly(begun);
            assertThat(log.entries()).hasSize(2);
            assertThat(log.entries().get(1))
                    .startsWith("WARN Cannot share blocks with the other instances.")
                    .endsWith("Cause: the store is unavailable");
            store.unavailable = null;
            exchange.poll();
            exchange.poll();
            assertThat(store.told).containsExactly(List.of(begun));
            assertThat(log.entries())
                    .hasSize(3)
                    .last()
                    .asString()
                    .startsWith("INFO Blocks are shared with the other " + "instances again");
        }

        @Test
        void theLogDoesNotSayItAgain() {
            isUnavailableLogged = true;
            store.unavailable = "the store is unavailable";
            exchange.poll();
            assertThat(log.entries()).isEmpty();
        }
    }

    /** The store hears of some blocks, and then it is unavailable. */
    @Test
    void aStoreThatLosesAllAndIsUnavailableHearsTheRestOnceItIsBack() {
        List<Block> begun =
                IntStream.range(0, 250).mapToObj(i -> begin("user-" + i, false)).toList();
        exchange.poll();
        store.lose();
        store.unavailableAfter = store.told.size() + 1;
        exchange.poll();
        assertThat(kept()).hasSizeLessThan(250);
        store.unavailableAfter = Integer.MAX_VALUE;
        exchange.poll();
        assertThat(kept()).containsExactlyInAnyOrderElementsOf(begun);
    }

    @Test
    void sendsAllBlocksAgainToAStoreThatHasLostThem() {
        List<Block> begun =
                IntStream.range(0, 250).mapToObj(i -> begin("user-" + i, false)).toList();
        exchange.poll();
        store.lose();
        exchange.poll();
        assertThat(kept()).containsExactlyInAnyOrderElementsOf(begun);
        assertThat(store.told).allMatch(some -> some.size() <= BlockStore.MOST_AT_ONCE);
    }
}
