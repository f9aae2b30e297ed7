package dev.sluice.internal.instance.status;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.RateLimitListener;
import dev.sluice.internal.config.value.Durations;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.limiter.block.Blocks;
import dev.sluice.internal.limiter.block.KnownBlock;
import dev.sluice.internal.store.admin.BlockStore;
import dev.sluice.internal.store.admin.BlockStore.Changes;
import dev.sluice.internal.thread.Poller;
import dev.sluice.internal.thread.TaskThread;
import dev.sluice.limits.Limits;
import dev.sluice.traffic.CallerNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Shares blocked callers with other instances through the store. Sends the blocks that this instance has imposed, and
 * receives those of other instances. The instance that imposes a block logs its beginning and its end. While the store
 * is unavailable, known blocks remain in force. New blocks are shared once the store is available again. The exchange
 * starts when a limit specifies {@code block}. Thread-safe: the {@link Poller} runs everything except the methods that
 * start and stop the exchange.
 */
public final class BlockExchange implements AutoCloseable {

    /** The pause between exchanges. It is short enough that a block takes effect on all instances within a second. */
    private static final Duration INTERVAL = Duration.ofMillis(500);

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** The maximum number of blocks that are logged per minute. */
    private static final int MOST_LOGGED = 20;

    private static final long MINUTE_MILLIS = 60_000;

    private final Logger log;
    private final Blocks blocks;
    private final BlockStore store;
    private final LongSupplier nowMillis;
    private final RateLimitListener listener;
    private final CallerNames names;
    private final BooleanSupplier isUnavailableLogged;
    private final Poller poller;
    private boolean isStarted;

    private String version = BlockStore.NOTHING;
    /** The blocks that began on this instance and are still in force. */
    private final Map<CounterKey, Own> own = new HashMap<>();
    /** The blocks to send again because the store has lost them or because their end has changed. */
    private final Set<Block> again = new LinkedHashSet<>();

    private long minute;
    private int logged;
    private int unlogged;
    private boolean isFailureLogged;

    private record Own(Block block, boolean isLogged) {}

    /**
     * Creates an exchange. It does nothing until {@link #follow} is called.
     *
     * @param nowMillis the limiter's clock, in milliseconds
     * @param listener is notified of the beginning and the end of each block that begins on this instance
     * @param names the display names of callers
     * @param isUnavailableLogged whether the log already states that the store is unavailable
     * @param background the thread that exchanges blocks; it is allowed to wait for the store and for loggers
     */
    public BlockExchange(
            Logger log,
            Blocks blocks,
            BlockStore store,
            LongSupplier nowMillis,
            RateLimitListener listener,
            CallerNames names,
            BooleanSupplier isUnavailableLogged,
            TaskThread background) {
        this.log = log;
        this.blocks = blocks;
        this.store = store;
        this.nowMillis = nowMillis;
        this.listener = listener;
        this.names = names;
        this.isUnavailableLogged = isUnavailableLogged;
        this.poller = new Poller(background, Duration.ZERO, () -> INTERVAL, this::exchange, this::reportFailure);
    }

    /** Starts the exchange if any limit specifies {@code block}. */
    public synchronized void follow(Limits limits) {
        if (!isStarted && limits.tiers().anyMatch(tier -> tier.block() != null)) {
            isStarted = true;
            poller.start();
        }
    }

    /** Ends a caller's block on all instances. Returns whether the caller was blocked. */
    public CompletionStage<Boolean> unblock(CounterKey key) {
        boolean wasHere = blocks.endUnreported(key, nowMillis.getAsLong());
        return store.unblock(key).thenApply(wasThere -> wasThere || wasHere);
    }

    /** Exchanges blocks once. */
    void poll() {
        poller.poll();
    }

    private void exchange() throws Exception {
        long now = nowMillis.getAsLong();
        followStepBack(now);
        List<KnownBlock> begun = blocks.begun();
        begun.forEach(block -> noteBegin(block, now));
        try {
            blocks.reported(begun.stream().filter(KnownBlock::isDryRun).toList());
            List<KnownBlock> toTell =
                    begun.stream().filter(block -> !block.isDryRun()).toList();
            for (int from = 0; from < toTell.size(); from += BlockStore.MOST_AT_ONCE) {
                List<KnownBlock> some = toTell.subList(from, Math.min(toTell.size(), from + BlockStore.MOST_AT_ONCE));
                var unused = tell(some.stream().map(KnownBlock::block).toList());
                blocks.reported(some);
            }
            boolean hasMore = true;
            while (hasMore) {
                List<Block> some = again.stream().limit(BlockStore.MOST_AT_ONCE).toList();
                hasMore = tell(some);
                again.removeAll(some);
                hasMore |= !again.isEmpty();
            }
            if (isFailureLogged) {
                isFailureLogged = false;
                log.info("Blocks are shared with the other instances again");
            }
        } finally {
            noteEnds(now);
        }
    }

    /**
     * Handles a clock that was set back. In that case, the ends of blocks have to change, and the instance that imposed
     * a block sends it to the store again.
     */
    private void followStepBack(long now) {
        for (Block moved : blocks.followStepBack(now)) {
            Own known = own.get(moved.key());
            if (known != null) {
                own.put(moved.key(), new Own(moved, known.isLogged));
                again.add(moved);
            }
        }
    }

    /**
     * Sends the given blocks, and receives the blocks of other instances. Returns whether the store has more blocks. If
     * it does, the next exchange should follow immediately.
     */
    private boolean tell(Collection<Block> begun) throws Exception {
        int clears = blocks.clears();
        Changes changes = store.exchange(version, List.copyOf(begun))
                .toCompletableFuture()
                .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        version = changes.version();
        blocks.learn(changes.blocks(), nowMillis.getAsLong(), clears);
        if (changes.isLoss()) {
            again.clear();
            again.addAll(blocks.all());
        }
        return changes.hasMore();
    }

    private void noteBegin(KnownBlock begun, long now) {
        Block block = begun.block();
        Own known = own.get(block.key());
        if (block.number() == 0 || (known != null && known.block.equals(block)) || own.size() >= Block.MOST) {
            return;
        }
        boolean isLogged = mayLog(now);
        if (isLogged) {
            log.info("{}", begun(block, begun.isDryRun()));
        }
        if (!begun.isDryRun()) {
            own.put(block.key(), new Own(block, isLogged));
            listener.onBlock(block);
        }
    }

    private boolean mayLog(long now) {
        if (now / MINUTE_MILLIS != minute) {
            if (unlogged > 0) {
                log.info("{} more callers were blocked within a minute; see sluice limits blocked", unlogged);
            }
            minute = now / MINUTE_MILLIS;
            logged = 0;
            unlogged = 0;
        }
        boolean mayLog = logged < MOST_LOGGED;
        logged += mayLog ? 1 : 0;
        unlogged += mayLog ? 0 : 1;
        return mayLog;
    }

    private String begun(Block block, boolean isDryRun) {
        String lasts = Durations.shortest(Duration.ofMillis(block.untilMillis() - block.sinceMillis()));
        String repeated = block.number() == 1 ? "" : " (block number " + block.number() + " in a row)";
        return who(block)
                + (isDryRun ? " would be blocked (dry run) at " : " is blocked at ")
                + where(block) + " for " + lasts + repeated + ", because it kept calling after refusals"
                + (isDryRun ? "" : ". The block lasts until " + Instant.ofEpochMilli(block.untilMillis()));
    }

    private String who(Block block) {
        return LoggedCaller.of(block.key().subjects(), names);
    }

    private static String where(Block block) {
        return Quote.plain(block.key().endpoint()) + " by tier "
                + Quote.plain(block.key().tier());
    }

    private void noteEnds(long now) {
        Iterator<Own> all = own.values().iterator();
        while (all.hasNext()) {
            Own one = all.next();
            Block latest = blocks.find(one.block.key());
            boolean isEnded = latest != null && latest.number() == 0;
            if (isEnded || !one.block.isInForce(now)) {
                all.remove();
                if (one.isLogged) {
                    log.info(
                            "{} is no longer blocked at {}: {}",
                            who(one.block),
                            where(one.block),
                            isEnded ? "an operator ended the block" : "the block has expired");
                }
                listener.onBlockEnd(one.block);
            }
        }
    }

    private void reportFailure(Throwable thrown) {
        if (isFailureLogged || poller.isClosed() || isUnavailableLogged.getAsBoolean()) {
            return;
        }
        isFailureLogged = true;
        boolean isWrapped = thrown instanceof ExecutionException || thrown instanceof CompletionException;
        Throwable cause = isWrapped && thrown.getCause() != null ? thrown.getCause() : thrown;
        log.warn(
                "Cannot share blocks with the other instances. Each instance refuses the callers that it knows to be "
                        + "blocked, and shares its new blocks once this is possible again. Cause: {}",
                Quote.message(cause));
    }

    @Override
    public void close() {
        if (isStarted()) {
            poller.close();
        }
        store.close();
    }

    private synchronized boolean isStarted() {
        return isStarted;
    }
}
