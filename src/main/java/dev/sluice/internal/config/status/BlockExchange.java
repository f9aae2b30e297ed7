package dev.sluice.internal.config.status;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.RateLimitListener;
import dev.sluice.internal.config.poll.Poller;
import dev.sluice.internal.config.shape.Durations;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.limiter.block.Blocks;
import dev.sluice.internal.limiter.block.KnownBlock;
import dev.sluice.internal.store.operated.BlockStore;
import dev.sluice.internal.store.operated.BlockStore.Changes;
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
 * Tells the store at intervals which callers are blocked by the refusals of this instance, and learns which are elsewhere.
 * Logs a block when it begins and when it ends, on the instance where it began. While the store is away, known blocks
 * hold, and the store hears of new ones once it is back. It begins to work when a limit has {@code block}. Its
 * {@link Poller} runs everything but the start and the end.
 */
public final class BlockExchange implements AutoCloseable {

    /** From one exchange to the next, so that a block holds everywhere within a second. */
    private static final Duration INTERVAL = Duration.ofMillis(500);

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** The most blocks whose beginning is logged in a minute. */
    private static final int MOST_LOGGED = 20;

    private static final long MINUTE_MILLIS = 60_000;

    private final Logger log;
    private final Blocks blocks;
    private final BlockStore store;
    private final LongSupplier nowMillis;
    private final RateLimitListener listener;
    private final CallerNames names;
    private final BooleanSupplier isAwayLogged;
    private final Poller poller;
    private boolean isStarted;

    private String version = BlockStore.NOTHING;
    /** The blocks that began here and were logged or reported, until they end. */
    private final Map<CounterKey, Own> own = new HashMap<>();
    /** The blocks to tell the store again: it has lost them, or they end at another time. */
    private final Set<Block> again = new LinkedHashSet<>();

    private long minute;
    private int logged;
    private int unlogged;
    private boolean isFailureLogged;

    private record Own(Block block, boolean isLogged) {}

    /**
     * Does nothing before {@link #follow}.
     *
     * @param nowMillis the limiter's clock
     * @param listener receives the blocks that begin here, and their ends
     * @param names what people call callers
     * @param isAwayLogged whether the log already says that the store is away
     */
    public BlockExchange(
            Logger log,
            Blocks blocks,
            BlockStore store,
            LongSupplier nowMillis,
            RateLimitListener listener,
            CallerNames names,
            BooleanSupplier isAwayLogged) {
        this.log = log;
        this.blocks = blocks;
        this.store = store;
        this.nowMillis = nowMillis;
        this.listener = listener;
        this.names = names;
        this.isAwayLogged = isAwayLogged;
        this.poller = new Poller("sluice-blocks", Duration.ZERO, () -> INTERVAL, this::exchange, this::reportFailure);
    }

    /** Begins to work if a limit blocks callers. */
    public synchronized void follow(Limits limits) {
        if (!isStarted && limits.tiers().anyMatch(tier -> tier.block() != null)) {
            isStarted = true;
            poller.start();
        }
    }

    /** Ends the block of a caller, for all instances; returns whether there was one under way. */
    public CompletionStage<Boolean> unblock(CounterKey key) {
        boolean wasHere = blocks.endUnreported(key, nowMillis.getAsLong());
        return store.unblock(key).thenApply(wasThere -> wasThere || wasHere);
    }

    /** Exchanges once. */
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
                log.info("Blocked callers are exchanged with the other instances again");
            }
        } finally {
            noteEnds(now);
        }
    }

    /** If the clock was set back, the store hears from the instance where a block began when it ends by the new time. */
    private void followStepBack(long now) {
        for (Block moved : blocks.followStepBack(now)) {
            Own known = own.get(moved.key());
            if (known != null) {
                own.put(moved.key(), new Own(moved, known.isLogged));
                again.add(moved);
            }
        }
    }

    /** Returns whether there is more to be learnt at once. */
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
        String repeated = block.number() == 1 ? "" : ", for the " + block.number() + ". time in a row";
        return who(block)
                + (isDryRun ? " would be blocked (dry run) at " : " is blocked at ")
                + where(block) + " for " + lasts + repeated + ", since it went on after refusals"
                + (isDryRun ? "" : ". All instances refuse it until " + Instant.ofEpochMilli(block.untilMillis()));
    }

    private String who(Block block) {
        return CallerText.of(block.key().subjects(), names);
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
            if (isEnded || !one.block.isUnderWay(now)) {
                all.remove();
                if (one.isLogged) {
                    log.info(
                            "{} is not blocked any more at {}: {}",
                            who(one.block),
                            where(one.block),
                            isEnded ? "an operator has ended it" : "its time is over");
                }
                listener.onBlockEnd(one.block);
            }
        }
    }

    private void reportFailure(Throwable thrown) {
        if (isFailureLogged || poller.isClosed() || isAwayLogged.getAsBoolean()) {
            return;
        }
        isFailureLogged = true;
        boolean isWrapped = thrown instanceof ExecutionException || thrown instanceof CompletionException;
        Throwable cause = isWrapped && thrown.getCause() != null ? thrown.getCause() : thrown;
        log.warn(
                "Blocked callers cannot be exchanged with the other instances. Each instance refuses those whom it knows; "
                        + "all is told once that works again. The cause: {}",
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
