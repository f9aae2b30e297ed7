package dev.sluice;

import java.util.List;

/**
 * What one instance asks of the store in one exchange. A batch whose reply was lost is sent again as it was, and the store
 * then answers as it did the first time: instance and sequence name it for ever.
 *
 * @param instance the sender, unique among all running instances
 * @param sequence counts the sender's batches upwards; only one is in flight at a time
 * @param claims at most one for each counter
 */
public record Batch(String instance, long sequence, List<Claim> claims) {

    public Batch {
        claims = List.copyOf(claims);
    }

    /**
     * What is asked for one counter. The store adds {@code spent}, then grants as much of {@code wanted} as
     * the rule has room for, if that is at least {@code atLeast}, and adds that too.
     *
     * @param key the counter
     * @param spent calls admitted beyond the share held, added whatever the rule says; negative to return the rest of a share; of places
     *     that are leased, all that this instance holds
     * @param wanted calls expected until the next exchange, to be granted ahead
     * @param atLeast a smaller grant than this is of no use, and none is made
     * @param rule how this kind of counter counts; the same in every claim for it but for the figures
     */
    public record Claim(CounterKey key, long spent, long wanted, long atLeast, Rule rule) {

        /** A claim on the total of a fixed window. */
        public Claim(CounterKey key, long spent, long wanted, long atLeast, long cap) {
            this(key, spent, wanted, atLeast, new Rule.Total(cap, 0));
        }

        /** Whether what is claimed of means nothing any more at that moment. */
        public boolean isOver(long nowMillis) {
            return rule instanceof Rule.Total total && key.end() + total.outlivesMillis() < nowMillis;
        }
    }

    /** How a counter counts. */
    public sealed interface Rule permits Rule.Total, Rule.Flow, Rule.Logged, Rule.Leased {

        /**
         * All calls of a window are added up.
         *
         * @param cap what the total shall not pass by a grant
         * @param outlivesMillis how long the total is needed after the window; if at all, nothing is granted after the window's end
         */
        record Total(long cap, long outlivesMillis) implements Rule {}

        /**
         * Calls take tokens from a bucket; the total is its theoretical arrival time, in units of which a millisecond has {@code milli}.
         *
         * @param token the units that one token takes to flow in
         * @param milli the units of a millisecond
         * @param depth the units that a full bucket takes to flow in
         * @param furthest the units by which the arrival time can be ahead of now
         */
        record Flow(long token, long milli, long depth, long furthest) implements Rule {}

        /**
         * Each call is noted for a period; the total is how many are.
         *
         * @param most what the total shall not pass by a grant
         */
        record Logged(long most, long periodMillis) implements Rule {}

        /**
         * Instances hold places, each for so long unless it claims them again; the total is how many are held.
         *
         * @param most what the total shall not pass by a grant
         */
        record Leased(long most, long leaseMillis) implements Rule {}
    }

    /**
     * The store's answer to a batch.
     *
     * @param nowMillis the store's clock, in milliseconds since 1970
     * @param grants one for each claim, in the same order
     */
    public record Reply(long nowMillis, List<Grant> grants) {

        public Reply {
            grants = List.copyOf(grants);
        }
    }

    /**
     * The store's answer to one claim.
     *
     * @param total what is now counted, over all instances, in the terms of the rule
     * @param granted how much of it was granted to this claim
     * @param oldestMillis of a log, when its oldest call was made; otherwise 0
     */
    public record Grant(long total, long granted, long oldestMillis) {

        /** The answer of all that is no log. */
        public Grant(long total, long granted) {
            this(total, granted, 0);
        }
    }
}
