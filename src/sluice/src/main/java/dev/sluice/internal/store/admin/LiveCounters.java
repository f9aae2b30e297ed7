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
 * Reads the counters of a store for operators. It changes nothing: no count, no share, no expiry. No request waits for
 * this. Thread-safe.
 */
public interface LiveCounters extends AutoCloseable {

    /**
     * A page of counters.
     *
     * @param keys their keys
     * @param next where the next page starts; empty at the end
     */
    record Page(List<CounterKey> keys, Optional<Position> next) {}

    /**
     * The store's knowledge about one counter.
     *
     * @param grant the answer to an exchange that asks for nothing; {@link Grant#elsewhere()} is the number of permits
     *     that all instances hold
     * @param lapsed the permits that unresponsive instances held when their leases ended, the oldest first; the counts
     *     include them. For a frame, those of the earlier frames that still count follow at the end
     */
    record Look(Grant grant, List<Lapsed> lapsed) {

        /** The end of an instance's name, which follows the server's name and tells its runs apart. */
        private static final Pattern RUN = Pattern.compile("-\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}$");

        public Look {
            lapsed = List.copyOf(lapsed);
        }

        /**
         * The permits that have lapsed and may still count as used, in the form for operators.
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

    /** The clock of the store, in milliseconds since 1970. */
    CompletionStage<Long> nowMillis();

    /** Reads a page of counters. A counter may occur twice in all pages, and a new one may be missing. */
    CompletionStage<Page> scan(Position from);

    /**
     * Reads each counter like an exchange that asks for nothing.
     *
     * @param withHeld whether to read the permits that instances hold or held, which may be expensive; if not, they may
     *     be missing
     */
    CompletionStage<List<Look>> look(List<LiveCounter> counters, long nowMillis, boolean withHeld);

    @Override
    void close();
}
