package dev.sluice.exchange;

import dev.sluice.CounterKey;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A message from one instance to the store. It reports the permits that the instance has used and holds, and requests
 * more. Immutable and thread-safe.
 *
 * <p>If no reply arrives, the instance retries the batch with the same statements, and adjusts the age of their uses.
 * The instance and the sequence together identify a batch. If the store has already applied a batch, it repeats its
 * first reply. If it has dropped that reply, it at least reports that it has applied the batch.
 *
 * @param instance the sender's name, unique among all instances that have ever used the store
 * @param sequence the number of the batch; a sender has only one batch in flight at a time
 * @param madeMillis when the sender created the batch, by the store's clock. If the batch is so old that the store may
 *     have forgotten it, the store refuses it unless it still has a record of it
 * @param statements at most one per counter
 * @param presence whether the sender is alive or shutting down; most batches do not state it
 * @param limitsSinceMillis when the sender began to use its current limits, by the store's clock; 0 if it has never had
 *     any others
 */
public record Batch(
        String instance,
        long sequence,
        long madeMillis,
        List<Statement> statements,
        Presence presence,
        long limitsSinceMillis) {

    public Batch {
        statements = List.copyOf(statements);
    }

    /** A batch that is never treated as old and does not state its sender's presence. */
    public Batch(String instance, long sequence, List<Statement> statements) {
        this(instance, sequence, Long.MAX_VALUE, statements, Presence.NOT_STATED, 0);
    }

    /** Whether the sender of a batch is alive. */
    public enum Presence {
        /** The batch does not say. */
        NOT_STATED,
        /** The sender is alive and requests the number of live instances. */
        ALIVE,
        /** The sender is shutting down. */
        LEAVING
    }

    /**
     * The number of live instances.
     *
     * @param instances their number; at least 1
     * @param rank the sender's position among them, starting at 0; all instances see the same order. If the position is
     *     unknown, this is {@code instances} or more
     */
    public record Fleet(int instances, int rank) {

        /** An instance is considered dead if it has not reported for this long. */
        public static final Duration LIFE = Duration.ofSeconds(8);

        public Fleet {
            if (instances < 1 || rank < 0) {
                throw new IllegalArgumentException("no instance can have rank " + rank + " of " + instances);
            }
        }

        /** A fleet of this size, before the store has reported the sender's rank. */
        public static Fleet assumed(int instances) {
            return new Fleet(instances, instances == 1 ? 0 : instances);
        }

        /** Whether the sender's rank is known. */
        public boolean isRanked() {
            return rank < instances;
        }
    }

    /**
     * The part of a batch about one counter. The store adds the uses to the count, records how many permits the sender
     * holds, and grants more from the remaining permits. It first grants the permits that waiting calls need. If it can
     * grant all of them, it also grants permits ahead. The permits granted ahead are at most half of the remaining
     * permits, divided by the number of instances that hold permits.
     *
     * @param key the counter
     * @param uses the calls admitted since the last applied statement, oldest first. Calls that used a grant at once
     *     are not included
     * @param held the unspent permits that the sender holds, not including those granted now
     * @param needed the permits that waiting calls need
     * @param wanted how many permits to grant ahead, in addition to those needed
     * @param leaseMillis how long the sender may keep its permits without reporting again
     * @param rule how the store counts this counter
     * @param mayReturn whether the sender has calls in flight that may return their permits
     * @param gift the calls that operators give; usually {@link Gift#NONE}
     */
    public record Statement(
            CounterKey key,
            List<Use> uses,
            long held,
            Need needed,
            long wanted,
            long leaseMillis,
            Rule rule,
            boolean mayReturn,
            Gift gift) {

        public Statement {
            uses = List.copyOf(uses);
        }

        /** A statement without a gift, from a sender whose calls do not return permits. */
        public Statement(
                CounterKey key, List<Use> uses, long held, Need needed, long wanted, long leaseMillis, Rule rule) {
            this(key, uses, held, needed, wanted, leaseMillis, rule, false, Gift.NONE);
        }

        /** A copy of this statement that is sent this much later. Its uses are older by that time. */
        public Statement sentLater(long millis) {
            List<Use> later = uses.stream().map(use -> use.sentLater(millis)).toList();
            return new Statement(key, later, held, needed, wanted, leaseMillis, rule, mayReturn, gift);
        }

        /** A statement for the same counter that reports these uses and requests nothing. */
        public Statement reportOnly(List<Use> others) {
            return new Statement(key, others, 0, Need.NONE, 0, leaseMillis, rule);
        }

        /** Whether calls of the sender may return permits after the store has granted this number. */
        public boolean mayReturn(long granted) {
            return mayReturn || (granted > 0 && needed.mayReturn());
        }

        /**
         * The keys of the earlier frames that still affect the limit, newest first; empty if the rule has no frames.
         */
        public List<CounterKey> framesBefore() {
            return rule instanceof Rule.Frame frame
                    ? IntStream.rangeClosed(1, frame.frames())
                            .mapToObj(key::earlier)
                            .toList()
                    : List.of();
        }

        /** The sum of the uses; negative if more was returned than used. */
        public long used() {
            long used = 0;
            for (Use use : uses) {
                used += use.count();
            }
            return used;
        }
    }

    /**
     * The permits that waiting calls need.
     *
     * @param all the total that they need
     * @param least the number that the first of them needs. If fewer remain, the store grants none, because a smaller
     *     grant would not help that call
     * @param isUsedAtOnce whether a granted permit counts as used at once, because it always lets a call pass.
     *     Otherwise it counts as held until the instance knows whether the call passes
     * @param mayReturn whether these calls may return the granted permits
     * @param repeats how many recalls for these calls have failed; the store recalls more each time
     */
    public record Need(long all, long least, boolean isUsedAtOnce, boolean mayReturn, int repeats) {

        /** No call is waiting. */
        public static final Need NONE = new Need(0, 0, false, false, 0);

        /** The need of calls that do not return permits, before any recall for them has failed. */
        public Need(long all, long least, boolean isUsedAtOnce) {
            this(all, least, isUsedAtOnce, false, 0);
        }

        /** This need, capped at this number of permits. */
        public Need atMost(long most) {
            return all <= most ? this : new Need(most, least, isUsedAtOnce, mayReturn, repeats);
        }

        /** The need of the same calls after this number of failed recalls. */
        public Need repeated(int times) {
            return all == 0 ? this : new Need(all, least, isUsedAtOnce, mayReturn, times);
        }

        /** How many permits the store grants, given the number of remaining permits. */
        public long granted(long left) {
            long granted = Math.max(0, Math.min(all, left));
            return granted < least ? 0 : granted;
        }

        /** How many permits of a grant count as used at once. */
        public long usedOf(long granted) {
            return isUsedAtOnce ? Math.min(all, granted) : 0;
        }
    }

    /**
     * The calls that operators give to a counter. A window or frame lets this number of calls pass beyond its limit
     * until it ends. A bucket receives this number of tokens, but never more than it can hold. A log drops this number
     * of its latest calls. Slots cannot be given. A gift does not change the permits that instances hold, or held when
     * their lease ended.
     *
     * @param calls how many to give now
     * @param known how many the sender knows to have been given before. A store that has lost this number restores it
     *     from here. Instances report it for windows and frames
     */
    public record Gift(long calls, long known) {

        /** Nothing is given. */
        public static final Gift NONE = new Gift(0, 0);

        /** The maximum that one counter can be given. */
        public static final long MOST = 999_999_999_999L;

        /** The calls that an instance knows to have been given. */
        public static Gift known(long given) {
            return given == 0 ? NONE : new Gift(0, given);
        }

        /** The total given to a window after this gift, if the store has so far recorded this number. */
        public long after(long given) {
            return Math.min(Math.max(given, known) + calls, MOST);
        }
    }

    /**
     * Calls that were admitted at about the same time.
     *
     * @param agoMillis how long before the batch was sent
     * @param count how many calls; negative for calls that were reported before and no longer count
     */
    public record Use(long agoMillis, long count) {

        /** The same calls, reported this much later. */
        public Use sentLater(long millis) {
            return new Use(agoMillis + millis, count);
        }
    }

    /** How the store counts a counter. Permits that instances hold always count as used. */
    public sealed interface Rule permits Rule.Total, Rule.Frame, Rule.Bucket, Rule.Log, Rule.Slots {

        /**
         * Adds up the calls of a window.
         *
         * @param cap the largest total
         */
        record Total(long cap) implements Rule {}

        /**
         * Adds up the calls of one frame of a sliding window. Its count plus the weighted counts of earlier frames may
         * not exceed the limit. The key defines the length of a frame. A frame affects the limit until one period after
         * its end.
         *
         * @param most the maximum of the weighted sum
         * @param frames the number of frames in a period; the same number of earlier frames affects the limit
         */
        record Frame(long most, int frames) implements Rule {}

        /**
         * Takes tokens from a bucket that refills steadily. Time is measured in units, which keeps fractions of tokens
         * exact.
         *
         * @param token the units of one token
         * @param milli the units that flow in per millisecond
         * @param depth the units of a full bucket
         * @param furthest how many units the theoretical arrival time can be ahead of now
         */
        record Bucket(long token, long milli, long depth, long furthest) implements Rule {}

        /**
         * Stores the time of each call for one period.
         *
         * @param most the maximum number of stored calls
         * @param periodMillis how long a call is stored
         */
        record Log(long most, long periodMillis) implements Rule {}

        /**
         * Leases slots to instances for their calls in flight.
         *
         * @param most the number of slots
         * @param inUse the slots that the sender's calls occupy, not including the free slots that it holds
         * @param sinceMillis when the sender's calls began to wait for slots that other instances hold, by the store's
         *     clock; 0 if none is waiting. If an instance has reported since then, the sender knows of all its free
         *     slots
         * @param asOfMillis the time at which the calls occupied these slots, by the store's clock. Some calls may end
         *     while the batch is in flight. A time in the future means the time of the store's reply
         */
        record Slots(long most, long inUse, long sinceMillis, long asOfMillis) implements Rule {}
    }

    /**
     * The store's reply to a batch.
     *
     * @param nowMillis the store's clock, in milliseconds since 1970
     * @param appliedMillis the store's clock when it applied the batch. This is earlier than now if the first reply was
     *     lost, and 0 if the store has forgotten that reply and its time
     * @param grants one for each statement, in the same order. After {@link TimeToLive#answer()}, a store may forget
     *     its reply. It then only needs to repeat the part that was used at once
     * @param losses the applied batches that the store has lost; usually empty
     * @param fleet the number of live instances; {@code null} unless the batch requested it
     */
    public record Reply(
            long nowMillis,
            long appliedMillis,
            List<Grant> grants,
            List<Loss> losses,
            @Nullable Fleet fleet) {

        public Reply {
            grants = List.copyOf(grants);
            losses = List.copyOf(losses);
        }

        /** A reply without the number of live instances. */
        public Reply(long nowMillis, long appliedMillis, List<Grant> grants, List<Loss> losses) {
            this(nowMillis, appliedMillis, grants, losses, null);
        }

        /** The first reply to a batch, from a store that has lost nothing. */
        public Reply(long nowMillis, List<Grant> grants) {
            this(nowMillis, nowMillis, grants, List.of());
        }
    }

    /**
     * A loss of data in the store. The store was flushed, restarted empty, or failed over to a lagging replica.
     *
     * @param shard the affected counters, see {@link CounterKey#shard()}; {@link #ALL_SHARDS} for all
     * @param afterSequence the sequence of the sender's last batch that the store still has; 0 if it has none
     */
    public record Loss(int shard, long afterSequence) {

        /** The value that represents all shards. */
        public static final int ALL_SHARDS = -1;
    }

    /**
     * The store's reply to one statement.
     *
     * @param total the current use by all instances, including the permits that they hold, in the unit of the rule. For
     *     a window, frame or log, this is the number of calls. For a bucket, it is the theoretical arrival time. For
     *     slots, it is their number
     * @param granted how many permits were granted to this statement
     * @param elsewhere the unspent permits that other instances hold and could return; always set if fewer permits were
     *     granted than needed
     * @param details for a frame, the totals of earlier frames, newest first, not including the calls given there; for
     *     a log, the time of its oldest call, or 0; otherwise empty
     * @param mayComeBack whether other instances have calls in flight that may return their permits
     * @param given for a window or frame, how many calls operators have let pass beyond the limit; for a bucket or log,
     *     how many calls this statement has given
     */
    public record Grant(long total, long granted, long elsewhere, List<Long> details, boolean mayComeBack, long given) {

        public Grant {
            details = List.copyOf(details);
        }

        /** A grant at a time when no call of another instance may return permits. */
        public Grant(long total, long granted, long elsewhere, List<Long> details) {
            this(total, granted, elsewhere, details, false, 0);
        }

        /** A placeholder for a grant whose lease is over. */
        public static final Grant VOID = new Grant(0, 0, 0);

        /** A grant without details. */
        public Grant(long total, long granted, long elsewhere) {
            this(total, granted, elsewhere, List.of());
        }

        /**
         * This grant as if no calls had been given: its total is reduced by the given calls. Later frames count a frame
         * in this way. The total is negative if fewer calls were used than given.
         */
        public Grant asIfNotGiven() {
            return given == 0 ? this : new Grant(total - given, granted, elsewhere, details, mayComeBack, 0);
        }

        /** Whether the grant is less than the waiting calls need. */
        public boolean isShortOf(Statement statement) {
            return granted < statement.needed().all();
        }

        /** Whether the store recalls permits, because other instances hold permits that waiting calls need. */
        public boolean needsRecall(Statement statement) {
            return isShortOf(statement) && elsewhere > 0;
        }
    }
}
