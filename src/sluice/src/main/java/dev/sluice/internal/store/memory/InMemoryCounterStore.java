package dev.sluice.internal.store.memory;

import dev.sluice.CounterKey;
import dev.sluice.cell.Cell;
import dev.sluice.cell.Cells;
import dev.sluice.cell.ExchangeNews;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.exchange.Batch.Presence;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.admin.BlockStore;
import dev.sluice.internal.store.admin.InMemoryBlockStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store that counts within this process. It is the reference implementation: all other stores must give the same
 * replies. Limiters that use the same store object share their counters. Thread-safe: the monitor of {@code this}
 * guards all state, and threads hold it only for arithmetic.
 *
 * <p>The store never contains more than {@code maximumCounters} counters. To make room for a new counter, it evicts the
 * least recently used one. A counter whose limit is used up gets a second chance. Otherwise, a caller over its limit
 * could get its own counter evicted by sending calls under many different names.
 */
public final class InMemoryCounterStore implements CounterStore {

    /** The maximum number of counters in a store opened with the URI {@code memory:}. */
    public static final int DEFAULT_MAXIMUM = 100_000;

    private static final int SECOND_CHANCES = 16;

    private final InstantSource clock;
    private final int maximumCounters;
    private final BlockStore blocks;
    /** The counters, least recently used first. */
    private final Map<CounterKey, Cell> cells = new LinkedHashMap<>(256, 0.75f, true);

    private final TreeMap<Long, Set<CounterKey>> bySecondOfExpiry = new TreeMap<>();
    private final LastBatches lastBatches = new LastBatches();
    /** The time of the last report from each live instance. */
    private final NavigableMap<String, Long> alive = new TreeMap<>();

    private final Map<String, Consumer<News>> listeners = new ConcurrentHashMap<>();

    public InMemoryCounterStore(InstantSource clock, int maximumCounters) {
        if (maximumCounters < 1) {
            throw new IllegalArgumentException("maximumCounters " + maximumCounters + " is not positive");
        }
        this.clock = clock;
        this.maximumCounters = maximumCounters;
        this.blocks = new InMemoryBlockStore(clock);
    }

    /** The blocked callers of all limiters that use this store. */
    public BlockStore blocks() {
        return blocks;
    }

    @Override
    public CompletionStage<Batch.Reply> exchange(Batch batch) {
        ExchangeNews news = new ExchangeNews();
        Batch.Reply reply;
        try {
            reply = apply(batch, news);
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
        news.all().forEach(told -> publish(batch.instance(), told));
        return CompletableFuture.completedFuture(reply);
    }

    private void publish(String sender, ExchangeNews.Told told) {
        listeners.forEach((instance, listener) -> {
            if (told.concerns(instance, sender)) {
                listener.accept(told.news());
            }
        });
    }

    @Override
    public void subscribe(String instance, Consumer<News> listener) {
        listeners.put(instance, listener);
    }

    @Override
    public void unsubscribe(String instance) {
        listeners.remove(instance);
    }

    /** The number of listeners. */
    int listeners() {
        return listeners.size();
    }

    /** The number of counters. */
    synchronized int size() {
        expire(clock.millis());
        return cells.size();
    }

    /** Does nothing, because the store has no resources to release and another limiter might still be using it. */
    @Override
    public void close() {}

    private synchronized Batch.Reply apply(Batch batch, ExchangeNews news) {
        long now = clock.millis();
        expire(now);
        Fleet fleet = fleet(batch, now);
        Batch.Reply before = lastBatches.answerTo(batch, fleet, now);
        if (before != null) {
            return before;
        }
        List<Batch.Grant> grants = new ArrayList<>(batch.statements().size());
        for (Batch.Statement statement : batch.statements()) {
            grants.add(grant(batch, statement, news, now));
        }
        Batch.Reply reply = new Batch.Reply(now, now, grants, List.of(), fleet);
        lastBatches.add(batch, reply);
        return reply;
    }

    /**
     * Records whether the sender of a batch is alive or shutting down. If the sender is alive, returns the number of
     * live instances and the sender's rank among them.
     */
    private @Nullable Fleet fleet(Batch batch, long now) {
        if (batch.presence() == Presence.ALIVE) {
            alive.put(batch.instance(), now);
            alive.values().removeIf(said -> said <= now - Fleet.LIFE.toMillis());
            return new Fleet(alive.size(), alive.headMap(batch.instance()).size());
        }
        if (batch.presence() == Presence.LEAVING) {
            alive.remove(batch.instance());
        }
        return null;
    }

    private Batch.Grant grant(Batch batch, Batch.Statement statement, ExchangeNews news, long now) {
        List<Cell> frames = statement.framesBefore().stream().map(this::frame).toList();
        Cell cell = cells.get(statement.key());
        if (cell == null) {
            while (cells.size() >= maximumCounters) {
                evictOne();
            }
            cell = Cells.of(statement.rule());
            cells.put(statement.key(), cell);
        }
        long expiryBefore = secondOfExpiry(cell);
        Batch.Grant grant = cell.apply(batch, statement, frames, news, now);
        long after = secondOfExpiry(cell);
        if (after != expiryBefore) {
            removeExpiry(statement.key(), expiryBefore);
            bySecondOfExpiry.computeIfAbsent(after, second -> new HashSet<>()).add(statement.key());
        }
        return grant;
    }

    private Cell frame(CounterKey key) {
        return Cells.frame(cells.get(key));
    }

    private static long secondOfExpiry(Cell cell) {
        return cell.expiresAtMillis() / 1000 + 1;
    }

    private void evictOne() {
        CounterKey eldest = eldest();
        for (int i = 0; i < SECOND_CHANCES && isUsedUp(eldest); i++) {
            // The map is in access order, so the call to isUsedUp has made this counter the most recently used one.
            eldest = eldest();
        }
        remove(eldest);
    }

    private CounterKey eldest() {
        return cells.keySet().iterator().next();
    }

    private boolean isUsedUp(CounterKey key) {
        Cell cell = cells.get(key);
        return cell != null && cell.isUsedUp();
    }

    private void remove(CounterKey key) {
        Cell cell = cells.remove(key);
        if (cell != null) {
            removeExpiry(key, secondOfExpiry(cell));
        }
    }

    private void removeExpiry(CounterKey key, long secondOfExpiry) {
        bySecondOfExpiry.computeIfPresent(secondOfExpiry, (second, keys) -> {
            keys.remove(key);
            return keys.isEmpty() ? null : keys;
        });
    }

    private void expire(long now) {
        Iterator<Set<CounterKey>> expired =
                bySecondOfExpiry.headMap(now / 1000, true).values().iterator();
        while (expired.hasNext()) {
            expired.next().forEach(cells::remove);
            expired.remove();
        }
        lastBatches.expire(now);
    }
}
