package dev.sluice.internal.store.memory;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Reply;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.StoreException;
import dev.sluice.exchange.TimeToLive;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last batch of each instance. These records prevent the store from applying a batch twice. It retains each reply
 * for a minute, and the sequence number of each batch for a day. Not thread-safe.
 */
final class LastBatches {

    /** The maximum number of records without replies. */
    static final int MOST = 10_000;

    private static final TimeToLive LIFE = TimeToLive.USUAL;

    /** The batches with their replies, by instance, oldest first. */
    private final Map<String, Applied> answered = new LinkedHashMap<>();

    private final Map<String, Applied> forgotten = new LinkedHashMap<>();
    /** All batches applied after this time have a record. */
    private long completeSinceMillis = Long.MIN_VALUE;

    /**
     * A record of an applied batch. After the reply has been dropped, the record contains only the grants that counted
     * as used immediately.
     */
    private record Applied(long sequence, long appliedMillis, List<Grant> grants, List<Grant> usedAtOnce) {}

    /**
     * The original reply if the batch has already been applied; otherwise {@code null}.
     *
     * @throws StoreException if it is too late to apply the batch
     */
    @Nullable Reply answerTo(Batch batch, @Nullable Fleet fleet, long nowMillis) {
        Applied last = answered.getOrDefault(batch.instance(), forgotten.get(batch.instance()));
        if (last == null && TimeToLive.mayHaveBeenAppliedBy(batch, completeSinceMillis)) {
            throw StoreException.forgotten("batch " + batch.sequence() + " of " + batch.instance()
                    + " is so old that it is unknown whether it was applied");
        }
        if (last == null || last.sequence < batch.sequence()) {
            return null;
        }
        if (last.sequence > batch.sequence()) {
            throw StoreException.stale("batch " + batch.sequence() + " of " + batch.instance() + " arrived after batch "
                    + last.sequence + " and was not applied");
        }
        return new Reply(nowMillis, last.appliedMillis, last.grants, List.of(), fleet);
    }

    /** Records an applied batch and its reply. */
    void add(Batch batch, Reply reply) {
        forgotten.remove(batch.instance());
        answered.remove(batch.instance()); // moves the entry to the end
        List<Grant> usedAtOnce = usedAtOnce(batch.statements(), reply.grants());
        answered.put(
                batch.instance(), new Applied(batch.sequence(), reply.appliedMillis(), reply.grants(), usedAtOnce));
    }

    private static List<Grant> usedAtOnce(List<Statement> statements, List<Grant> grants) {
        List<Grant> all = new ArrayList<>(grants.size());
        boolean isAny = false;
        for (int i = 0; i < grants.size(); i++) {
            long used = statements.get(i).needed().usedOf(grants.get(i).granted());
            all.add(used == 0 ? Grant.VOID : new Grant(0, used, 0));
            isAny |= used > 0;
        }
        return isAny ? all : Collections.nCopies(all.size(), Grant.VOID); // nCopies needs no memory
    }

    /** Drops replies and records that are too old. */
    void expire(long nowMillis) {
        Iterator<Map.Entry<String, Applied>> old = answered.entrySet().iterator();
        while (old.hasNext()) {
            Map.Entry<String, Applied> one = old.next();
            Applied last = one.getValue();
            if (last.appliedMillis > nowMillis - LIFE.answer().toMillis()) {
                break;
            }
            forgotten.put(
                    one.getKey(), new Applied(last.sequence, last.appliedMillis, last.usedAtOnce, last.usedAtOnce));
            old.remove();
        }
        long tooOld = nowMillis - LIFE.answer().plus(LIFE.sequence()).toMillis();
        Iterator<Applied> oldest = forgotten.values().iterator();
        while (oldest.hasNext()) {
            Applied last = oldest.next();
            if (last.appliedMillis > tooOld && forgotten.size() <= MOST) {
                break;
            }
            completeSinceMillis = Math.max(completeSinceMillis, last.appliedMillis);
            oldest.remove();
        }
    }
}
