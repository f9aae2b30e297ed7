package dev.sluice.exchange;

import dev.sluice.CounterKey;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A message from one instance to the store. It reports the permits that the instance has used and those that it holds,
 * and requests more. Immutable and thread-safe.
 *
 * <p>If no reply arrives, the instance resends the batch with the same statements, but updates the age of the reported
 * calls. The sender's name and the sequence number together identify a batch. If the store has already applied a batch,
 * it repeats its original reply. If it has since dropped that reply, it still confirms that it applied the batch.
 *
 * @param instance the sender's name, unique among all instances that have ever used the store
 * @param sequence the sequence number of the batch. A sender has only one batch in flight at a time
 * @param madeMillis when the sender created the batch, by the store's clock. If the batch is so old that the store
 *     might have applied and then forgotten it, the store rejects the batch, unless it still has a record of it
 * @param statements the reports and requests, at most one per counter
 * @param presence whether the sender is alive or shutting down. Most batches omit this
 * @param limitsSinceMillis when the sender began to use its current limits, by the store's clock; 0 if its limits have
 *     not changed since it started
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

    /** Creates a batch that the store never considers too old, and that does not state whether its sender is alive. */
    public Batch(String instance, long sequence, List<Statement> statements) {
        this(instance, sequence, Long.MAX_VALUE, statements, Presence.NOT_STATED, 0);
    }

    /** Whether the sender of a batch is alive. */
    public enum Presence {
        /** The batch does not state whether the sender is alive. */
        NOT_STATED,
        /** The sender is alive and requests the number of live instances. */
        ALIVE,
        /** The sender is shutting down. */
        LEAVING
    }

    /**
     * The live instances, as reported by the store.
     *
     * @param instances the number of live instances; at least 1
     * @param rank the sender's position among the live instances, starting at 0. All instances see the same order. If
     *     the position is unknown, the value is {@code instances} or more
     */
    public record Fleet(int instances, int rank) {

        /** The time after which an instance that has not reported is considered dead. */
        public static final Duration LIFE = Duration.ofSeconds(8);

        public Fleet {
            if (instances < 1 || rank < 0) {
                throw new IllegalArgumentException("no instance can have rank " + rank + " of " + instances);
            }
        }

        /**
         * Creates a fleet with the given number of instances, for use until the store has reported the sender's rank.
         */
        public static Fleet assumed(int instances) {
            return new Fleet(instances, instances == 1 ? 0 : instances);
        }

        /** Whether the sender's rank is known. */
        public boolean isRanked() {
            return rank < instances;
        }
    }

    /**
     * The part of a batch about one counter. The store counts the reported calls, records how many permits the sender
     * holds, and grants it more if any remain. It first grants the permits that waiting calls need. If it can grant all
     * of them, it also grants permits ahead. To one statement, it grants ahead at most half of the remaining permits,
     * divided by the number of instances that hold permits.
     *
     * @param key the counter
     * @param uses the calls admitted since the last applied statement, oldest first. Calls whose permits were counted
     *     as used when they were granted are not included
     * @param held the unspent permits that the sender holds, excluding any granted in the reply
     * @param needed the permits that waiting calls need
     * @param wanted the number of permits to grant ahead, in addition to the needed permits
     * @param leaseMillis how long the sender can keep its permits before it has to report again
     * @param rule how the store counts this counter
     * @param mayReturn whether the sender has calls in flight that could return their permits
     * @param gift the calls that operators give to this counter; usually {@link Gift#NONE}
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

        /** Creates a statement without a gift, for a sender whose calls cannot return permits. */
        public Statement(
                CounterKey key, List<Use> uses, long held, Need needed, long wanted, long leaseMillis, Rule rule) {
            this(key, uses, held, needed, wanted, leaseMillis, rule, false, Gift.NONE);
        }

        /**
         * Returns a copy of this statement to send later. In the copy, the age of the reported calls is increased by
         * the given time.
         */
        public Statement sentLater(long millis) {
            List<Use> later = uses.stream().map(use -> use.sentLater(millis)).toList();
            return new Statement(key, later, held, needed, wanted, leaseMillis, rule, mayReturn, gift);
        }

        /** A statement for the same counter that reports the given calls and requests no permits. */
        public Statement reportOnly(List<Use> others) {
            return new Statement(key, others, 0, Need.NONE, 0, leaseMillis, rule);
        }

        /**
         * Whether the sender's calls could still return permits after the store has granted the given number of
         * permits.
         */
        public boolean mayReturn(long granted) {
            return mayReturn || (granted > 0 && needed.mayReturn());
        }

        /**
         * The keys of the earlier frames that still affect the limit, newest first; empty unless the rule uses frames.
         */
        public List<CounterKey> framesBefore() {
            return rule instanceof Rule.Frame frame
                    ? IntStream.rangeClosed(1, frame.frames())
                            .mapToObj(key::earlier)
                            .toList()
                    : List.of();
        }

        /** The total number of reported calls; negative if more permits were returned than were used. */
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
     * @param all the total number of permits that the waiting calls need
     * @param least the number of permits that the first waiting call needs. If fewer remain, the store grants none,
     *     because a smaller grant would not help that call
     * @param isUsedAtOnce whether the store counts granted permits as used immediately, because every granted permit is
     *     certain to let a call pass. Otherwise, it counts them as held until the instance knows whether the calls pass
     * @param mayReturn whether the waiting calls could later return the granted permits
     * @param repeats the number of times that the store has recalled permits for these calls without success. The store
     *     recalls more permits with each repetition
     */
    public record Need(long all, long least, boolean isUsedAtOnce, boolean mayReturn, int repeats) {

        /** The need if no call is waiting. */
        public static final Need NONE = new Need(0, 0, false, false, 0);

        /** Creates a need for calls that cannot return permits and for which no recall has failed yet. */
        public Need(long all, long least, boolean isUsedAtOnce) {
            this(all, least, isUsedAtOnce, false, 0);
        }

        /** Returns this need, capped at the given number of permits. */
        public Need atMost(long most) {
            return all <= most ? this : new Need(most, least, isUsedAtOnce, mayReturn, repeats);
        }

        /** Returns this need with the given number of failed recalls. */
        public Need repeated(int times) {
            return all == 0 ? this : new Need(all, least, isUsedAtOnce, mayReturn, times);
        }

        /** The number of permits that the store grants, given the number of remaining permits. */
        public long granted(long left) {
            long granted = Math.max(0, Math.min(all, left));
            return granted < least ? 0 : granted;
        }

        /** The number of granted permits that count as used immediately. */
        public long usedOf(long granted) {
            return isUsedAtOnce ? Math.min(all, granted) : 0;
        }
    }

    /**
     * The calls that operators give to a counter. A window or frame admits this many calls beyond its limit, until it
     * ends. A bucket receives this many tokens, but never more than it has room for. A log drops this many of its
     * latest calls. Concurrency limits do not support gifts. A gift does not affect the permits that instances hold,
     * nor those that they held when their leases ended.
     *
     * @param calls the number of calls to give now
     * @param known the number of earlier given calls that the sender knows of. Instances report this number for windows
     *     and frames, so that a store that has lost it can restore it
     */
    public record Gift(long calls, long known) {

        /** A gift of no calls. */
        public static final Gift NONE = new Gift(0, 0);

        /** The maximum number of calls that one counter can be given. */
        public static final long MOST = 999_999_999_999L;

        /** Creates a gift that gives no calls and only reports the number of calls given earlier. */
        public static Gift known(long given) {
            return given == 0 ? NONE : new Gift(0, given);
        }

        /**
         * The total number of calls given to a window once this gift is applied, based on the number that the store has
         * recorded so far.
         */
        public long after(long given) {
            return Math.min(Math.max(given, known) + calls, MOST);
        }
    }

    /**
     * Calls that were admitted at about the same time.
     *
     * @param agoMillis the age of the calls when the batch was sent
     * @param count the number of calls; negative for calls that were reported earlier and no longer count
     */
    public record Use(long agoMillis, long count) {

        /** Returns the same calls for a batch that is sent later. Their age is increased by the given time. */
        public Use sentLater(long millis) {
            return new Use(agoMillis + millis, count);
        }
    }

    /** The way in which the store counts the calls of a counter. Permits that instances hold always count as used. */
    public sealed interface Rule permits Rule.Total, Rule.Frame, Rule.Bucket, Rule.Log, Rule.Slots {

        /**
         * Counts the calls in a window.
         *
         * @param cap the maximum number of calls in the window
         */
        record Total(long cap) implements Rule {}

        /**
         * Counts the calls in one frame of a sliding window. The frame's count plus the weighted counts of earlier
         * frames must not exceed the limit. The key defines the length of a frame. A frame affects the limit until one
         * period after its end.
         *
         * @param most the maximum weighted sum
         * @param frames the number of frames per period, which is also the number of earlier frames that affect the
         *     limit
         */
        record Frame(long most, int frames) implements Rule {}

        /**
         * Takes tokens from a bucket that refills steadily. Tokens and time are both measured in units, so that
         * fractions of tokens are exact.
         *
         * @param token the number of units per token
         * @param milli the number of units that flow in per millisecond
         * @param depth the number of units in a full bucket
         * @param furthest the maximum lead of the theoretical arrival time over the current time, in units
         */
        record Bucket(long token, long milli, long depth, long furthest) implements Rule {}

        /**
         * Stores the time of each call for one period.
         *
         * @param most the maximum number of stored calls
         * @param periodMillis how long the time of each call is stored
         */
        record Log(long most, long periodMillis) implements Rule {}

        /**
         * Leases slots to instances for their calls in flight.
         *
         * @param most the number of slots
         * @param inUse the number of slots that the sender's calls occupy, excluding the free slots that the sender
         *     holds
         * @param sinceMillis when the sender's calls began to wait for slots held by other instances, by the store's
         *     clock; 0 if no call is waiting. If an instance has reported since then, the number of its free slots is
         *     already known
         * @param asOfMillis the time at which the calls occupied these slots, by the store's clock. Some calls might
         *     end before the batch arrives. A time in the future means the time of the store's reply
         */
        record Slots(long most, long inUse, long sinceMillis, long asOfMillis) implements Rule {}
    }

    /**
     * The store's reply to a batch.
     *
     * @param nowMillis the store's clock, in milliseconds since 1970
     * @param appliedMillis when the store applied the batch, by its own clock. If the first reply was lost, this time
     *     is earlier than {@code nowMillis}. It is 0 if the store has forgotten the first reply and its time
     * @param grants one grant for each statement, in the same order. A store can forget its reply after
     *     {@link TimeToLive#answer()}. From then on, it only has to repeat the permits that counted as used immediately
     * @param losses the data that the store has lost; usually empty
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

        /** Creates a reply without the number of live instances. */
        public Reply(long nowMillis, long appliedMillis, List<Grant> grants, List<Loss> losses) {
            this(nowMillis, appliedMillis, grants, losses, null);
        }

        /** Creates the first reply to a batch, for a store that has lost no data. */
        public Reply(long nowMillis, List<Grant> grants) {
            this(nowMillis, nowMillis, grants, List.of());
        }
    }

    /**
     * A loss of data in the store, caused by a flush, an empty restart, or a failover to a lagging replica.
     *
     * @param shard the shard of the affected counters, as returned by {@link CounterKey#shard()}; {@link #ALL_SHARDS}
     *     if all counters are affected
     * @param afterSequence the sequence number of the sender's latest batch that is still stored; 0 if none is
     */
    public record Loss(int shard, long afterSequence) {

        /** The value of {@code shard} that stands for all shards. */
        public static final int ALL_SHARDS = -1;
    }

    /**
     * The store's reply to one statement.
     *
     * @param total the current usage of all instances, including the permits that they hold, in the unit of the rule:
     *     the number of calls for a window, frame or log, the theoretical arrival time for a bucket, and the number of
     *     occupied slots for a concurrency limit
     * @param granted the number of permits granted to the sender
     * @param elsewhere the number of unspent permits that other instances hold and could return. The store always
     *     determines this number if it grants fewer permits than needed
     * @param details for a frame, the totals of the earlier frames, newest first, minus the calls that operators have
     *     given to these frames; for a log, the time of its oldest call, or 0 if the log is empty; otherwise empty
     * @param mayComeBack whether other instances have calls in flight that could return their permits
     * @param given for a window or frame, the number of calls that operators have allowed beyond the limit; for a
     *     bucket or log, the number of calls that this statement has given
     */
    public record Grant(long total, long granted, long elsewhere, List<Long> details, boolean mayComeBack, long given) {

        public Grant {
            details = List.copyOf(details);
        }

        /** Creates a grant for the case that no other instance has calls in flight that could return their permits. */
        public Grant(long total, long granted, long elsewhere, List<Long> details) {
            this(total, granted, elsewhere, details, false, 0);
        }

        /** A placeholder for a grant whose lease has ended. */
        public static final Grant VOID = new Grant(0, 0, 0);

        /** Creates a grant without details. */
        public Grant(long total, long granted, long elsewhere) {
            this(total, granted, elsewhere, List.of());
        }

        /**
         * Returns this grant with the given calls subtracted from its total. Later frames use this reduced total. It is
         * negative if more calls were given than used.
         */
        public Grant asIfNotGiven() {
            return given == 0 ? this : new Grant(total - given, granted, elsewhere, details, mayComeBack, 0);
        }

        /** Whether the grant contains fewer permits than the waiting calls need. */
        public boolean isShortOf(Statement statement) {
            return granted < statement.needed().all();
        }

        /**
         * Whether the store has to recall permits because waiting calls need permits that other instances are holding.
         */
        public boolean needsRecall(Statement statement) {
            return isShortOf(statement) && elsewhere > 0;
        }
    }
}
