package dev.sluice.internal.store.admin;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Stores blocked callers in memory until this process ends. Thread-safe. */
public final class InMemoryBlockStore implements BlockStore {

    private final InstantSource clock;
    private final Map<CounterKey, Numbered> blocks = new TreeMap<>();
    private long changes;

    private record Numbered(Block block, long number, boolean isMadeUp) {}

    /** Creates a store without blocks. */
    public InMemoryBlockStore(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public synchronized CompletionStage<Changes> exchange(String version, List<Block> begun) {
        begun.forEach(this::put);
        long now = clock.millis();
        blocks.values().removeIf(one -> one.block.isForgotten(now));
        while (blocks.size() > Block.MOST) {
            boolean areMadeUp =
                    blocks.values().stream().filter(Numbered::isMadeUp).count() > Block.MOST / 2;
            blocks.values().stream()
                    .filter(one -> one.isMadeUp() == areMadeUp)
                    .min(Comparator.comparingLong(one -> one.block.untilMillis()))
                    .ifPresent(first -> blocks.remove(first.block.key()));
        }
        long known = version.isEmpty() ? 0 : Long.parseLong(version);
        List<Block> changed = blocks.values().stream()
                .filter(one -> one.number > known)
                .map(Numbered::block)
                .toList();
        return CompletableFuture.completedFuture(new Changes(String.valueOf(changes), false, false, changed));
    }

    private void put(Block block) {
        Numbered known = blocks.get(block.key());
        if (known == null || block.replaces(known.block)) {
            changes++;
            blocks.put(block.key(), new Numbered(block, changes, BlockStore.isMadeUp(block.key())));
        }
    }

    @Override
    public synchronized CompletionStage<Boolean> unblock(CounterKey key) {
        Numbered known = blocks.get(key);
        long now = clock.millis();
        if (known == null || !known.block.isInForce(now)) {
            return CompletableFuture.completedFuture(false);
        }
        put(known.block.endedAt(now));
        return CompletableFuture.completedFuture(true);
    }
}
