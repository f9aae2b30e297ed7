package dev.sluice.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.internal.store.admin.BlockStore;
import dev.sluice.internal.store.admin.BlockStore.Changes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What holds of the blocked callers in each store. */
public abstract class BlockStoreContract {

    protected final long now = System.currentTimeMillis();

    /** An empty store. */
    protected abstract BlockStore store();

    protected static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    protected static CounterKey caller(String name) {
        return new CounterKey("log in", "*", "1m", List.of(new Subject("user", "claim:sub", name)), 0, 0);
    }

    protected Block block(String name, int sinceSeconds, Duration lasts) {
        long since = now + sinceSeconds * 1000L;
        return new Block(caller(name), since, since + lasts.toMillis(), 1);
    }

    private final Block acme = block("acme: é%", 0, Duration.ofMinutes(15));

    protected static Block withCause(Block block) {
        Block.Cause cause = new Block.Cause(1_000, 3_600_000, 1_000_000_000_000L, 31_104_000_000L);
        return new Block(block.key(), block.sinceMillis(), block.untilMillis(), block.number(), cause);
    }

    protected List<Block> tell(Block... begun) {
        return done(store().exchange(BlockStore.NOTHING, List.of(begun))).blocks();
    }

    @Test
    void anInstanceLearnsWhatAnotherOneHasTold() {
        Changes before = done(store().exchange(BlockStore.NOTHING, List.of()));
        assertThat(before.blocks()).isEmpty();
        Changes told = done(store().exchange(BlockStore.NOTHING, List.of(acme)));
        Changes learnt = done(store().exchange(before.version(), List.of()));
        assertThat(learnt.blocks()).containsExactly(acme);
        assertThat(learnt.isLoss()).isFalse();
        for (Changes known : List.of(told, learnt)) {
            Changes later = done(store().exchange(known.version(), List.of()));
            assertThat(later.blocks()).isEmpty();
            assertThat(later.isLoss()).isFalse();
        }
    }

    @Test
    void keepsTheCauseOfABlock() {
        Block caused = withCause(acme);
        assertThat(tell(caused)).containsExactly(caused);
        assertThat(done(store().all())).containsExactly(caused);
    }

    @Test
    void ofSeveralBlocksOfOneCallerTheLatestStays() {
        Block earlier = block("acme: é%", -60, Duration.ofHours(9));
        Block later = block("acme: é%", 60, Duration.ofMinutes(1));
        tell(acme);
        assertThat(tell(earlier)).containsExactly(acme);
        assertThat(tell(acme, later)).containsExactly(later);
        assertThat(tell(acme)).containsExactly(later);
    }

    @Test
    void anOperatorEndsABlockForAll() {
        tell(acme, block("beta", 0, Duration.ofMinutes(15)));
        String version = done(store().exchange(BlockStore.NOTHING, List.of())).version();
        assertThat(done(store().unblock(acme.key()))).isTrue();
        List<Block> changed = done(store().exchange(version, List.of())).blocks();
        Block ended = changed.stream()
                .filter(block -> block.key().equals(acme.key()))
                .findFirst()
                .orElseThrow();
        assertThat(ended.number()).isZero();
        assertThat(ended.isInForce(now + 60_000)).isFalse();
        assertThat(ended.replaces(acme)).isTrue();
        assertThat(done(store().unblock(acme.key()))).isFalse();
        assertThat(done(store().unblock(caller("nobody")))).isFalse();
    }

    /** Its instance tells it again if the answer was lost. */
    @Test
    void anEndedBlockDoesNotComeBack() {
        tell(acme);
        done(store().unblock(acme.key()));
        assertThat(tell(acme)).singleElement().matches(block -> block.number() == 0);
    }

    @Test
    void manyAreReadInParts() {
        List<Block> many = IntStream.range(0, 1_234)
                .mapToObj(i -> block("c" + i, 0, Duration.ofMinutes(15)))
                .toList();
        tellAll(many);
        assertThat(done(store().all())).containsExactlyInAnyOrderElementsOf(many);
    }

    /** Tells very many. */
    protected void fill(List<Block> many) {
        tellAll(many);
    }

    protected final void tellAll(List<Block> many) {
        for (int from = 0; from < many.size(); from += BlockStore.MOST_AT_ONCE) {
            done(store().exchange(
                            BlockStore.NOTHING,
                            many.subList(from, Math.min(many.size(), from + BlockStore.MOST_AT_ONCE))));
        }
    }

    @Test
    void ofTooManyThoseThatEndFirstAreForgotten() {
        List<Block> many = new ArrayList<>();
        for (int i = 0; i < Block.MOST + 50; i++) {
            many.add(block("c" + i, 0, Duration.ofMinutes(15).plusMillis(i)));
        }
        fill(many);
        assertThat(done(store().all())).containsExactlyInAnyOrderElementsOf(many.subList(50, many.size()));
    }

    /** One address with invented tenants must not end the blocks of logins. */
    @Test
    void aFloodOfInventedNamesForgetsNoBlockOfAVerifiedCaller() {
        List<Block> verified = IntStream.range(0, 50)
                .mapToObj(i -> block("c" + i, 0, Duration.ofMinutes(15)))
                .toList();
        List<Block> flood = IntStream.range(0, Block.MOST)
                .mapToObj(i -> madeUp("t" + i, Duration.ofHours(1).plusMillis(i)))
                .toList();
        List<Block> all = new ArrayList<>(verified);
        all.addAll(flood);
        fill(all);
        List<Block> left = new ArrayList<>(verified);
        left.addAll(flood.subList(50, flood.size()));
        assertThat(done(store().all())).containsExactlyInAnyOrderElementsOf(left);
    }

    protected final Block madeUp(String tenant, Duration lasts) {
        List<Subject> who =
                List.of(new Subject("ip", "ip", "192.0.2.1"), new Subject("tenant", "header:X-Org-Id", tenant));
        return new Block(new CounterKey("api", "*", "1m", who, 0, 0), now, now + lasts.toMillis(), 1);
    }
}
