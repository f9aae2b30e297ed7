package dev.sluice.exchange;

import dev.sluice.CounterKey;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One instance's message to the store: what it used, holds and wants. A batch without an answer is sent again with the
 * same statements, whose uses are then longer ago. Instance and sequence identify it: if the store has already applied it,
 * it repeats its first answer, or says at least that it did.
 *
 * @param instance the sender, unique among all instances that ever used the store
 * @param sequence numbers the sender's batches; only one is under way at a time
 * @param madeMillis when the sender made it, by the store's clock: a store that may have forgotten a batch of that age
 *     refuses one that it does not know
 * @param statements at most one per counter
 * @param presence whether it says that the sender lives, which is seldom
 * @param instances how many instances live, as far as the sender knows: a limit with at least that many permits concerns all of them
 * @param limitsSinceMillis since when the sender has its limits, by the store's clock; 0 if it has had no others
 */
public record Batch(
        String instance,
        long sequence,
        long madeMillis,
        List<Statement> statements,
        Presence presence,
        int instances,
        long limitsSinceMillis) {

    public Batch {
        statements = List.copyOf(statements);
    }

    /** A batch that is made only now, whatever the store's clock says, and says nothing of the sender itself. */
    public Batch(String instance, long sequence, List<Statement> statements) {
        this(instance, sequence, Long.MAX_VALUE, statements, Presence.UNTOLD, 1, 0);
    }

    /** What a batch says of its sender. */
    public enum Presence {
        /** Nothing. */
        UNTOLD,
        /** The sender lives, and wants to know how many instances do. */
        LIVES,
        /** The sender ends. */
        LEAVES
    }

    /**
     * The instances that live.
     *
     * @param instances how many; at least 1
     * @param rank the place of the sender among them, from 0, the same for all who ask; as large as {@code instances} if it
     *     is unknown
     */
    public record Fleet(int instances, int rank) {

        /** An instance that has not said so for this long lives no more. */
        public static final Duration LIFE = Duration.ofSeconds(8);

        public Fleet {
            if (instances < 1 || rank < 0) {
                throw new IllegalArgumentException(rank + " of " + instances + " instances");
            }
        }

        /** So many instances, none of which knows its place. */
        public static Fleet unheard(int instances) {
            return new Fleet(instances, instances == 1 ? 0 : instances);
        }

        /** Whether the sender's place is known. */
        public boolean isRanked() {
            return rank < instances;
        }
    }

    /**
     * The part of a batch for one counter. The store adds the uses to the count, records how many permits the sender
     * holds, and grants further ones from what is left: first those that waiting calls need; then, if all of these are
     * granted, a part of those wanted ahead: at most half of what is left, divided by the number of instances that hold
     * some.
     *
     * @param key the counter
     * @param uses the calls admitted here since the last applied statement, oldest first, without calls that used a grant
     *     at once
     * @param held the permits that the sender holds unspent, without those granted now
     * @param needed the permits that waiting calls need
     * @param wanted the permits to take ahead, beyond those needed
     * @param leaseMillis how long the sender keeps what it holds without reporting again
     * @param rule how the store counts this counter
     */
    public record Statement(
            CounterKey key, List<Use> uses, long held, Need needed, long wanted, long leaseMillis, Rule rule) {

        public Statement {
            uses = List.copyOf(uses);
        }

        /** This statement, sent this much later. */
        public Statement sentLater(long millis) {
            List<Use> later = uses.stream().map(use -> use.sentLater(millis)).toList();
            return new Statement(key, later, held, needed, wanted, leaseMillis, rule);
        }

        /** A statement for the same counter that only reports these uses. */
        public Statement reportOnly(List<Use> others) {
            return new Statement(key, others, 0, Need.NONE, 0, leaseMillis, rule);
        }

        /** The keys of the frames before this one, newest first; empty if the rule has no frames. */
        public List<CounterKey> framesBefore() {
            return rule instanceof Rule.Frame frame
                    ? IntStream.rangeClosed(1, frame.frames())
                            .mapToObj(key::earlier)
                            .toList()
                    : List.of();
        }

        /** The sum of the uses; negative if more came back than were used. */
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
     * @param all the number for all of them
     * @param least what the first of them needs; a smaller grant is of no use, so none is given
     * @param isUsedAtOnce whether these calls pass once they have this, so that the grant counts as used; otherwise it
     *     is held until it is known whether they pass
     * @param repeats how many recalls for these calls have failed; the store recalls more each time
     */
    public record Need(long all, long least, boolean isUsedAtOnce, int repeats) {

        private static final int TIMES_FOUR = 2;
        private static final int MOST_DOUBLED = 20;

        /** No call is waiting. */
        public static final Need NONE = new Need(0, 0, false, 0);

        /** What calls need for which the store was not asked before. */
        public Need(long all, long least, boolean isUsedAtOnce) {
            this(all, least, isUsedAtOnce, 0);
        }

        /** The same, or this much if that is less. */
        public Need atMost(long most) {
            return all <= most ? this : new Need(most, least, isUsedAtOnce, repeats);
        }

        /** The same calls after this many failed recalls. */
        public Need repeated(int times) {
            return all == 0 ? this : new Need(all, least, isUsedAtOnce, times);
        }

        /** How many permits of others are recalled, if these are lacking. */
        public long toRecall(long lacking) {
            return lacking << Math.min(TIMES_FOUR * repeats, MOST_DOUBLED);
        }

        /** How much is granted if this much is left. */
        public long granted(long left) {
            long granted = Math.max(0, Math.min(all, left));
            return granted < least ? 0 : granted;
        }

        /** How much of a grant counts as used. */
        public long usedOf(long granted) {
            return isUsedAtOnce ? Math.min(all, granted) : 0;
        }
    }

    /**
     * Calls admitted at about the same time.
     *
     * @param agoMillis how long before the batch was sent
     * @param count their number; negative for calls reported earlier that no longer count
     */
    public record Use(long agoMillis, long count) {

        /** The same calls, sent this much later. */
        public Use sentLater(long millis) {
            return new Use(agoMillis + millis, count);
        }
    }

    /** How the store counts a counter. What instances hold always counts as used. */
    public sealed interface Rule permits Rule.Total, Rule.Frame, Rule.Bucket, Rule.Log, Rule.Places {

        /**
         * Adds up the calls of a window.
         *
         * @param cap the most that the total may reach
         */
        record Total(long cap) implements Rule {}

        /**
         * Adds up the calls of a frame; with the weighted frames before it they may reach the threshold. The key says
         * how long a frame is. A frame counts until a whole period after its end.
         *
         * @param most the most that the weighted sum may reach
         * @param frames the number of frames in a period, and of earlier frames that count
         */
        record Frame(long most, int frames) implements Rule {}

        /**
         * Takes tokens from a bucket that refills steadily.
         *
         * @param token the units of one token
         * @param milli the units that flow in per millisecond
         * @param depth the units of a full bucket
         * @param furthest how many units the theoretical arrival time can be ahead of now
         */
        record Bucket(long token, long milli, long depth, long furthest) implements Rule {}

        /**
         * Stores the time of each call for a period.
         *
         * @param most the most calls that are stored
         */
        record Log(long most, long periodMillis) implements Rule {}

        /**
         * Leases places to instances, for calls under way.
         *
         * @param most the number of places
         * @param inUse the places that the sender's calls occupy, without those it holds free
         * @param sinceMillis since when, by the store's clock, calls of the sender wait for places that others hold, 0 if none
         *     does; instances that reported later than that have no free place that the sender does not know of
         * @param countedMillis when, by the store's clock, the sender counted its calls, some of which end while the
         *     batch is under way; a time in the future means the time of the store's answer
         */
        record Places(long most, long inUse, long sinceMillis, long countedMillis) implements Rule {}
    }

    /**
     * The store's answer to a batch.
     *
     * @param nowMillis the store's clock, in milliseconds since 1970
     * @param appliedMillis the store's clock when the batch was applied; earlier than now if the first answer was lost; 0
     *     if the store has forgotten that answer, and when it was
     * @param grants one for each statement, in the same order. Once the lease of a grant is over, only the part counts
     *     that was used at once: the store may have granted the rest to others. A store that has forgotten its answer has to
     *     know no more than that part
     * @param losses what the store applied before and has lost; usually empty
     * @param fleet the instances that live; {@code null} unless the batch asked for it
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

        /** An answer that does not say which instances live. */
        public Reply(long nowMillis, long appliedMillis, List<Grant> grants, List<Loss> losses) {
            this(nowMillis, appliedMillis, grants, losses, null);
        }

        /** The first answer to a batch, from a store that lost nothing. */
        public Reply(long nowMillis, List<Grant> grants) {
            this(nowMillis, nowMillis, grants, List.of());
        }

        /** Whether the lease of what was granted to this statement is over, so that nothing of it can be used any more. */
        public boolean isLeaseOver(Statement statement) {
            return nowMillis - appliedMillis >= statement.leaseMillis();
        }
    }

    /**
     * The store has lost data: it was flushed, restarted empty, or replaced by a replica that lagged behind.
     *
     * @param shard which counters are affected, see {@link CounterKey#shard()}; {@link #ALL_SHARDS} for all
     * @param afterSequence the sender's last batch that the store still has; 0 if none
     */
    public record Loss(int shard, long afterSequence) {

        public static final int ALL_SHARDS = -1;

        /** Whether reports of this counter are affected. */
        public boolean concerns(CounterKey key) {
            return shard == ALL_SHARDS || shard == key.shard();
        }
    }

    /**
     * The store's answer to one statement.
     *
     * @param total what counts as used now over all instances, always with what they hold, in the unit of the rule:
     *     calls of a window, frame or log, the theoretical arrival time of a bucket, or places
     * @param granted the part of it that was granted to this statement
     * @param elsewhere the permits that other instances hold unspent and could return; always set if less was granted
     *     than needed
     * @param details of a frame, the totals of earlier frames, newest first; of a log, the time of its oldest call, 0
     *     if there is none; otherwise empty
     */
    public record Grant(long total, long granted, long elsewhere, List<Long> details) {

        public Grant {
            details = List.copyOf(details);
        }

        /** What a grant is worth whose lease is over. */
        public static final Grant VOID = new Grant(0, 0, 0);

        /** An answer without details. */
        public Grant(long total, long granted, long elsewhere) {
            this(total, granted, elsewhere, List.of());
        }

        /** Whether less was granted than waiting calls need. */
        public boolean isShortOf(Statement statement) {
            return granted < statement.needed().all();
        }

        /** Whether others hold what waiting calls need, so that the store recalls it. */
        public boolean needsRecall(Statement statement) {
            return isShortOf(statement) && elsewhere > 0;
        }
    }
}
