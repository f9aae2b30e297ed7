package dev.sluice.exchange;

import dev.sluice.CounterKey;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What one instance tells and asks of the store in one exchange. A batch that was not answered is sent again with the
 * same claims, its uses longer ago by then. Instance and sequence identify it: if the store has applied it, it answers
 * as it did the first time.
 *
 * @param instance the sender, unique among all instances that ever used the store
 * @param sequence counts the sender's batches upwards; only one is under way at a time
 * @param claims at most one for each counter
 */
public record Batch(String instance, long sequence, List<Claim> claims) {

    public Batch {
        claims = List.copyOf(claims);
    }

    /**
     * What an instance tells of one counter, and asks of it. The store adds the uses to the count, remembers how many
     * permits the sender holds, and grants further ones from what is left: first those that waiting calls need; then,
     * if all of them are granted, a part of those that are wanted ahead: at most half of what is left divided by the
     * instances that hold some.
     *
     * @param key the counter
     * @param uses the calls that were admitted here since the last claim that was applied, the oldest first, apart from
     *     those that were granted what they waited for
     * @param held the permits that the sender holds unspent, apart from what it is granted now
     * @param needed the permits that waiting calls lack
     * @param wanted the permits to take ahead of need, beyond those that are needed
     * @param leaseMillis how long what the sender holds stays with it if it is not heard of again
     * @param rule how this kind of counter counts
     */
    public record Claim(
            CounterKey key, List<Use> uses, long held, Need needed, long wanted, long leaseMillis, Rule rule) {

        public Claim {
            uses = List.copyOf(uses);
        }

        /** The same, told so much later. */
        public Claim toldLater(long millis) {
            List<Use> later = uses.stream().map(use -> use.toldLater(millis)).toList();
            return new Claim(key, later, held, needed, wanted, leaseMillis, rule);
        }

        /** One of the same counter that tells these uses, holds nothing and asks for nothing. */
        public Claim telling(List<Use> others) {
            return new Claim(key, others, 0, Need.NONE, 0, leaseMillis, rule);
        }

        /** The counters of the frames before this one, the newest first; none of what is no frame. */
        public List<CounterKey> framesBefore() {
            return rule instanceof Rule.Frame frame
                    ? IntStream.rangeClosed(1, frame.frames())
                            .mapToObj(key::earlier)
                            .toList()
                    : List.of();
        }

        /** How many calls were used in all; below zero if more were taken back. */
        public long used() {
            long used = 0;
            for (Use use : uses) {
                used += use.count();
            }
            return used;
        }
    }

    /**
     * The permits that waiting calls lack.
     *
     * @param all how many in all
     * @param least how many that call lacks which lacks the least: fewer are of no use, and none are granted
     * @param isUsedAtOnce whether these calls pass once they have this, so that what is granted counts as used;
     *     otherwise it is held until it is known whether they pass
     */
    public record Need(long all, long least, boolean isUsedAtOnce) {

        /** No call waits. */
        public static final Need NONE = new Need(0, 0, false);

        /** What of so much is granted. */
        public long granted(long left) {
            long granted = Math.max(0, Math.min(all, left));
            return granted < least ? 0 : granted;
        }

        /** What counts as used of so much that was granted in all. */
        public long usedOf(long granted) {
            return isUsedAtOnce ? Math.min(all, granted) : 0;
        }
    }

    /**
     * Calls that were admitted at about the same time.
     *
     * @param agoMillis how long before the batch was sent
     * @param count how many; below zero if they were admitted before and are to count no more
     */
    public record Use(long agoMillis, long count) {

        /** The same calls, told so much later. */
        public Use toldLater(long millis) {
            return new Use(agoMillis + millis, count);
        }
    }

    /** How a counter counts. What instances hold counts as used in all of them. */
    public sealed interface Rule permits Rule.Total, Rule.Frame, Rule.Bucket, Rule.Logged, Rule.Leased {

        /**
         * All calls of a window are added up.
         *
         * @param cap what the total may reach
         */
        record Total(long cap) implements Rule {}

        /**
         * The calls of a frame are added up; together with the weight of the frames before it they may reach the
         * threshold. A frame is as long as its key says, and counts until a whole period after its end.
         *
         * @param most what the weighted sum may reach
         * @param frames how many frames a period has, and how many before this one matter
         */
        record Frame(long most, int frames) implements Rule {}

        /**
         * Calls take tokens from a bucket that refills steadily.
         *
         * @param token the units that one token takes to flow in
         * @param milli the units of a millisecond
         * @param depth the units that a full bucket takes to flow in
         * @param furthest the units by which the theoretical arrival time can be ahead of now
         */
        record Bucket(long token, long milli, long depth, long furthest) implements Rule {}

        /**
         * Each call is remembered for a period.
         *
         * @param most how many may be remembered
         */
        record Logged(long most, long periodMillis) implements Rule {}

        /**
         * Instances lease places for calls under way.
         *
         * @param most how many places there are
         * @param inUse how many the sender's calls occupy, beside those it holds free
         * @param sinceMillis since when, by the store's clock, calls of the sender wait; others that have counted theirs
         *     later have no free place that the sender does not know of. 0 if none waits
         * @param countedMillis when, by the store's clock, the sender counted them. What it sends is under way for some
         *     time, in which its calls end; a time to come means that of the store's answer
         */
        record Leased(long most, long inUse, long sinceMillis, long countedMillis) implements Rule {}
    }

    /**
     * The store's answer to a batch.
     *
     * @param nowMillis the store's clock, in milliseconds since 1970
     * @param appliedMillis what it was when the batch was applied: earlier, if the first answer was lost
     * @param grants one for each claim, in the same order
     * @param losses what the store has forgotten that it had applied before; mostly empty
     */
    public record Reply(long nowMillis, long appliedMillis, List<Grant> grants, List<Loss> losses) {

        public Reply {
            grants = List.copyOf(grants);
            losses = List.copyOf(losses);
        }

        /** The first answer to a batch, of a store that has forgotten nothing. */
        public Reply(long nowMillis, List<Grant> grants) {
            this(nowMillis, nowMillis, grants, List.of());
        }
    }

    /**
     * The store has lost data: it was flushed, restarted empty, or replaced by a replica that lagged behind.
     *
     * @param shard which counters are concerned, see {@link CounterKey#shard()}; {@link #ALL_SHARDS} for all
     * @param afterSequence the sender's last batch that the store still knows of; 0 if none
     */
    public record Loss(int shard, long afterSequence) {

        public static final int ALL_SHARDS = -1;

        /** Whether what was told of this counter is concerned. */
        public boolean concerns(CounterKey key) {
            return shard == ALL_SHARDS || shard == key.shard();
        }
    }

    /**
     * The store's answer to one claim.
     *
     * @param total what counts as used now over all instances, in the terms of the rule: calls of a window, frame or
     *     log, the theoretical arrival time of a bucket, or places; always with what instances hold
     * @param granted how many permits of it were granted to this claim
     * @param elsewhere how many permits other instances hold unspent and could return; told at least where fewer were
     *     granted than needed
     * @param details of a frame, the totals of the frames before it, the newest first; of a log, the time of its oldest
     *     call, 0 if there is none; otherwise empty
     */
    public record Grant(long total, long granted, long elsewhere, List<Long> details) {

        public Grant {
            details = List.copyOf(details);
        }

        /** The answer of what needs no details. */
        public Grant(long total, long granted, long elsewhere) {
            this(total, granted, elsewhere, List.of());
        }

        /** Whether less was granted than the calls that wait need. */
        public boolean isShortOf(Claim claim) {
            return granted < claim.needed().all();
        }

        /** Whether others hold what the calls that wait lack, so that the store recalls it. */
        public boolean needsRecall(Claim claim) {
            return isShortOf(claim) && elsewhere > 0;
        }
    }
}
