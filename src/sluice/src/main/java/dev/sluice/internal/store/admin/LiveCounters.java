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
 * Reads the counters of a store for operators. Does not change any count, share or expiry. Requests never wait for
 * these operations. Thread-safe.
 */
public interface LiveCounters extends AutoCloseable {

    /**
     * A page of counters.
     *
     * @param keys their keys
     * @param next the start of the next page; empty after the last page
     */
    record Page(List<CounterKey> keys, Optional<Position> next) {}

    /**
     * The state of one counter in the store.
     *
     * @param grant the reply to an exchange that requests nothing; {@link Grant#elsewhere()} is the number of permits
     *     that all instances hold
     * @param lapsed the permits that unresponsive instances held when their leases ended, oldest first; the counts
     *     include them. For a frame, the lapsed permits of the earlier frames that still affect the limit follow at the
     *     end
     */
    record Look(Grant grant, List<Lapsed> lapsed) {

        /** The suffix of an instance's name, which distinguishes runs on the same server. */
        private static final Pattern RUN = Pattern.compile("-\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}$");

        public Look {
            lapsed = List.copyOf(lapsed);
        }

        /**
         * The lapsed permits that may still count as used, in the form for operators.
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

    /** Reads a page of counters. A counter may occur on two pages, and a new counter may be missing. */
    CompletionStage<Page> scan(Position from);

    /**
     * Reads each counter like an exchange that requests nothing.
     *
     * @param withHeld whether to read the permits that instances hold or held. This may be expensive. If {@code false},
     *     these permits may be missing
     */
    CompletionStage<List<Look>> look(List<LiveCounter> counters, long nowMillis, boolean withHeld);

    @Override
    void close();
}
