package dev.sluice.exchange;

import dev.sluice.CounterKey;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A message from one instance to the store: what the instance has used, what it holds, and what it wants. Immutable and
 * thread-safe.
 *
 * <p>If no answer comes, the instance retries the batch with the same statements, whose uses then lie further back.
 * Instance and sequence identify the batch. If the store has already applied it, the store repeats its first answer, or
 * at least says that it has applied the batch.
 *
 * @param instance the sender; unique among all instances that ever used the store
 * @param sequence the number of the batch; a sender has only one batch in flight at a time
 * @param madeMillis when the sender made it, by the store's clock. A store may have forgotten batches of that age, so
 *     it refuses such a batch unless it still knows it
 * @param statements at most one per counter
 * @param presence what the batch says about the sender, which is usually nothing
 * @param limitsSinceMillis when the sender began to use its current limits, by the store's clock; 0 if it had no others
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

    /** A batch that never counts as old, and says nothing about its sender. */
    public Batch(String instance, long sequence, List<Statement> statements) {
        this(instance, sequence, Long.MAX_VALUE, statements, Presence.NOT_STATED, 0);
    }

    /** What a batch says about its sender. */
    public enum Presence {
        /** Nothing. */
        NOT_STATED,
        /** The sender is alive, and asks how many instances are alive. */
        ALIVE,
        /** The sender is shutting down. */
        LEAVING
    }

    /**
     * How many instances are alive.
     *
     * @param instances their number; at least 1
     * @param rank the sender's position among them, from 0; all instances see the same order. Equal to
     *     {@code instances} or above if unknown
     */
    public record Fleet(int instances, int rank) {

        /** An instance counts as gone after this time without a sign of life. */
        public static final Duration LIFE = Duration.ofSeconds(8);

        public Fleet {
            if (instances < 1 || rank < 0) {
                throw new IllegalArgumentException("no instance can have rank " + rank + " of " + instances);
            }
        }

        /** A fleet of this size before the store has said what the sender's rank is. */
        public static Fleet assumed(int instances) {
            return new Fleet(instances, instances == 1 ? 0 : instances);
        }

        /** Whether the sender's rank is known. */
        public boolean isRanked() {
            return rank < instances;
        }
    }

    /**
     * The part of a batch about one counter. The store adds the uses to the count, notes how many permits the sender
     * holds, and grants more from the remaining permits: first the permits that waiting calls need and, if it can grant
     * all of these, also permits that are wanted ahead. It grants ahead at most half of the remaining permits, divided
     * by the number of instances that hold permits.
     *
     * @param key the counter
     * @param uses the calls admitted since the last applied statement, oldest first, except calls that used a grant at
     *     once
     * @param held the unspent permits that the sender holds, without those granted now
     * @param needed the permits that waiting calls need
     * @param wanted how many permits to take ahead, beyond those needed
     * @param leaseMillis how long the sender may keep what it holds without reporting again
     * @param rule how the store counts this counter
     * @param mayReturn whether calls of the sender are in flight that may return their permits
     * @param gift what operators give; mostly {@link Gift#NONE}
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

        /** A statement that gives nothing, of a sender whose calls keep what they took. */
        public Statement(
                CounterKey key, List<Use> uses, long held, Need needed, long wanted, long leaseMillis, Rule rule) {
            this(key, uses, held, needed, wanted, leaseMillis, rule, false, Gift.NONE);
        }

        /** This statement as it is when sent later by this time: its uses lie further back. */
        public Statement sentLater(long millis) {
            List<Use> later = uses.stream().map(use -> use.sentLater(millis)).toList();
            return new Statement(key, later, held, needed, wanted, leaseMillis, rule, mayReturn, gift);
        }

        /** A statement for the same counter that reports these uses and asks for nothing. */
        public Statement reportOnly(List<Use> others) {
            return new Statement(key, others, 0, Need.NONE, 0, leaseMillis, rule);
        }

        /** Whether calls of the sender may return permits, once the store has granted this number. */
        public boolean mayReturn(long granted) {
            return mayReturn || (granted > 0 && needed.mayReturn());
        }

        /** The keys of the earlier frames that still count, newest first; empty if the rule has no frames. */
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
     * @param all what all of them need together
     * @param least what the first of them needs. A smaller grant would not help it, so the store grants nothing then
     * @param isUsedAtOnce whether a granted permit lets a call pass at once, so that it counts as used. Otherwise it
     *     counts as held until the instance knows whether the call passes
     * @param mayReturn whether these calls may return what they get
     * @param repeats how many recalls for these calls have failed; the store recalls more each time
     */
    public record Need(long all, long least, boolean isUsedAtOnce, boolean mayReturn, int repeats) {

        /** No call waits. */
        public static final Need NONE = new Need(0, 0, false, false, 0);

        /** A need that the store has not been asked for before, of calls that keep what they get. */
        public Need(long all, long least, boolean isUsedAtOnce) {
            this(all, least, isUsedAtOnce, false, 0);
        }

        /** This need, limited to this number of permits. */
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
     * What operators give to a counter. A window or frame lets so many calls pass beyond its limit, until it ends. A
     * bucket is filled with as many tokens, but never beyond full. A log no longer counts as many of its latest calls.
     * Slots cannot be given. What instances hold, or held when their lease ended, stays as it is.
     *
     * @param calls how many to give now
     * @param known how many were given before, as far as the sender knows: a store that has lost that notes it again.
     *     Instances say so of windows and frames
     */
    public record Gift(long calls, long known) {

        /** Nothing is given. */
        public static final Gift NONE = new Gift(0, 0);

        /** The most that one counter is given. */
        public static final long MOST = 999_999_999_999L;

        /** What an instance knows to have been given. */
        public static Gift known(long given) {
            return given == 0 ? NONE : new Gift(0, given);
        }

        /** What is given to a window in all, if this much was given before. */
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

        /** The same calls, reported later by this time. */
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
         * reach the limit. The key gives the length of a frame. A frame counts until one period after its end.
         *
         * @param most the maximum of the weighted sum
         * @param frames the number of frames in a period, which is also the number of earlier frames that count
         */
        record Frame(long most, int frames) implements Rule {}

        /**
         * Takes tokens from a bucket that refills steadily. Time is measured in units, so that fractions of tokens are
         * exact.
         *
         * @param token the units of one token
         * @param milli the units that flow in each millisecond
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
         * Leases slots for calls in flight to instances.
         *
         * @param most the number of slots
         * @param inUse the slots that the sender's calls occupy, without free slots that it holds
         * @param sinceMillis when calls of the sender began to wait for slots that others hold, by the store's clock; 0
         *     if none waits. An instance that has reported since then has no free slot that the sender does not know of
         * @param asOfMillis the time at which they occupied these slots, by the store's clock. Some of them may end
         *     while the batch is in flight. A time in the future means the time of the store's answer
         */
        record Slots(long most, long inUse, long sinceMillis, long asOfMillis) implements Rule {}
    }

    /**
     * The store's answer to a batch.
     *
     * @param nowMillis the store's clock, in milliseconds since 1970
     * @param appliedMillis the store's clock when it applied the batch, which was earlier than now if the first answer
     *     was lost; 0 if the store has forgotten that answer and its time
     * @param grants one for each statement, in the same order. A store that has forgotten its answer after {@link
     *     TimeToLive#answer()} only needs to know the part that was used at once
     * @param losses the applied batches that the store has lost; usually empty
     * @param fleet how many instances are alive; {@code null} unless the batch asked
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

        /** An answer that does not say how many instances are alive. */
        public Reply(long nowMillis, long appliedMillis, List<Grant> grants, List<Loss> losses) {
            this(nowMillis, appliedMillis, grants, losses, null);
        }

        /** The first answer to a batch, from a store that lost nothing. */
        public Reply(long nowMillis, List<Grant> grants) {
            this(nowMillis, nowMillis, grants, List.of());
        }
    }

    /**
     * The store has lost data: it was flushed, restarted empty, or failed over to a replica that lagged behind.
     *
     * @param shard the affected counters, see {@link CounterKey#shard()}; {@link #ALL_SHARDS} for all
     * @param afterSequence the sender's last batch that the store still has; 0 if none
     */
    public record Loss(int shard, long afterSequence) {

        /** Stands for all shards. */
        public static final int ALL_SHARDS = -1;
    }

    /**
     * The store's answer to one statement.
     *
     * @param total the use that counts now, over all instances and including the permits that they hold, in the unit of
     *     the rule: the calls of a window, frame or log; the theoretical arrival time of a bucket; or the number of
     *     slots
     * @param granted how many permits were granted to this statement
     * @param elsewhere the unspent permits that other instances hold and could return; always set if less was granted
     *     than needed
     * @param details for a frame, the totals of earlier frames without what was given there, newest first; for a log, the
     *     time of its oldest call or 0; otherwise empty
     * @param mayComeBack whether calls of other instances are in flight that may return their permits
     * @param given how many calls operators have given in this window or frame, which may pass beyond the limit; of a
     *     bucket or log, how many this statement has given
     */
    public record Grant(long total, long granted, long elsewhere, List<Long> details, boolean mayComeBack, long given) {

        public Grant {
            details = List.copyOf(details);
        }

        /** A grant at a time when no call of another instance may return permits. */
        public Grant(long total, long granted, long elsewhere, List<Long> details) {
            this(total, granted, elsewhere, details, false, 0);
        }

        /** Stands for a grant whose lease is over. */
        public static final Grant VOID = new Grant(0, 0, 0);

        /** A grant without details. */
        public Grant(long total, long granted, long elsewhere) {
            this(total, granted, elsewhere, List.of());
        }

        /**
         * The same grant of a counter to which nothing was given, and which has used so much less. This is what a later
         * frame counts of a frame. Its total is negative if less was used than given.
         */
        public Grant asIfNotGiven() {
            return given == 0 ? this : new Grant(total - given, granted, elsewhere, details, mayComeBack, 0);
        }

        /** Whether the grant is smaller than the need of waiting calls. */
        public boolean isShortOf(Statement statement) {
            return granted < statement.needed().all();
        }

        /** Whether other instances hold permits that waiting calls need, so that the store recalls them. */
        public boolean needsRecall(Statement statement) {
            return isShortOf(statement) && elsewhere > 0;
        }
    }
}
