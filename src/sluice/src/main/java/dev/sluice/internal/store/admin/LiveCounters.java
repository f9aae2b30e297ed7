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
     * @param lapsed the permits that unresponsive instances held when their leases ended, oldest first; the counts
     *     include them. For a frame, the list continues with the lapsed permits of the earlier frames that still affect
     *     the limit
     */
    record Look(Grant grant, List<Lapsed> lapsed) {

        /** The suffix of an instance's name. It distinguishes several runs on the same server. */
        private static final Pattern RUN = Pattern.compile("-\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}$");

        public Look {
            lapsed = List.copyOf(lapsed);
        }

        /**
         * The lapsed permits that could still count as used, in the form that operators see.
         *
         * @param counter the counter that was read
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

    /** Reads a page of counters. A counter can occur on two pages, and a new counter can be missing. */
    CompletionStage<Page> scan(Position from);

    /**
     * Reads each counter, like an exchange that requests no permits.
     *
     * @param withHeld whether to read the permits that instances hold, and the lapsed permits. This can be expensive.
     *     If {@code false}, these permits might be missing
     */
    CompletionStage<List<Look>> look(List<LiveCounter> counters, long nowMillis, boolean withHeld);

    @Override
    void close();
}
