package dev.sluice.internal.store.admin;

import dev.sluice.CounterKey;
import dev.sluice.cell.CellState.Lapsed;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.limits.LimiterDiagnostics.Account.Unresponsive;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;

/**
 * Reads the counters of a store for operators. Reading a counter does not change its count, shares or expiry time.
 * Requests never wait for these operations. Thread-safe.
 */
public interface LiveCounters extends AutoCloseable {

    /**
     * A page of counters.
     *
     * @param keys the keys of the counters on this page
     * @param next the start of the next page; empty after the last page
     */
    record Page(List<CounterKey> keys, Optional<Position> next) {}

    /**
     * The state of one counter in the store.
     *
     * @param grant the reply to an exchange that requests nothing; its {@link Grant#elsewhere()} is the number of
     *     permits that all instances together hold
     * @param lapsed the permits that unresponsive instances held when their leases ended, oldest first. The grant's
     *     total includes them. For a frame, the list also contains the lapsed permits of the earlier frames that still
     *     affect the limit
     */
    record Look(Grant grant, List<Lapsed> lapsed) {

        /** The random suffix of an instance's name. It distinguishes different runs on the same server. */
        private static final Pattern RUN = Pattern.compile("-\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}$");

        public Look {
            lapsed = List.copyOf(lapsed);
        }

        /**
         * The lapsed permits that might still count as used, in the form that operators see.
         *
         * @param counter the counter whose state was read
         */
        public List<Unresponsive> unresponsive(LiveCounter counter, long nowMillis) {
            return lapsed.stream()
                    .filter(one -> counter.mayCount(one.sinceMillis(), nowMillis))
                    .map(one -> new Unresponsive(
                            RUN.matcher(one.instance()).replaceFirst(""),
                            one.permits(),
                            Instant.ofEpochMilli(one.sinceMillis())))
                    .toList();
        }
    }

    /** A position among all counters, defined by the store. */
    interface Position {

        /** The position before the first counter. */
        Position FIRST = new Position() {};
    }

    /** The current time by the store's clock, in milliseconds since 1970. */
    CompletionStage<Long> nowMillis();

    /** Reads a page of counters. A counter can occur on two pages, and a recently created counter can be missing. */
    CompletionStage<Page> scan(Position from);

    /**
     * Reads the state of each counter, like an exchange that requests no permits.
     *
     * @param withHeld whether to read the permits that instances hold, and the lapsed permits. Reading them can be
     *     expensive. If {@code false}, the result might not include them
     */
    CompletionStage<List<Look>> look(List<LiveCounter> counters, long nowMillis, boolean withHeld);

    @Override
    void close();
}
