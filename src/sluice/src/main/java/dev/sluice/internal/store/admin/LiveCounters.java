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
 * Reads the counters of a store and changes nothing: no count, no share, no expiry. For operators; requests never use
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
     * What a store knows of one counter.
     *
     * @param grant the answer to an exchange that asks for nothing; {@link Grant#elsewhere()} says what all instances
     *     hold
     * @param lapsed what unresponsive instances held when their leases ended, the oldest first; the counts contain it.
     *     Of a frame, also what they held of the earlier frames that count, which come last
     */
    record Look(Grant grant, List<Lapsed> lapsed) {

        /** What follows the server's name in the name of an instance, to tell its runs apart. */
        private static final Pattern RUN = Pattern.compile("-\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}$");

        public Look {
            lapsed = List.copyOf(lapsed);
        }

        /**
         * What lapsed and may still count as used, as operators see it.
         *
         * @param counter what was read
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

        /** The start. */
        Position FIRST = new Position() {};
    }

    /** The clock of the store, in milliseconds since 1970. */
    CompletionStage<Long> nowMillis();

    /** Reads a page of counters. A counter may occur twice, and a new one may be missing. */
    CompletionStage<Page> scan(Position from);

    /**
     * Reads each counter like an exchange that asks for nothing.
     *
     * @param withHeld whether to read what instances hold or held, which may be expensive; if not, it may be missing
     */
    CompletionStage<List<Look>> look(List<LiveCounter> counters, long nowMillis, boolean withHeld);

    @Override
    void close();
}
