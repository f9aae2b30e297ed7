package dev.sluice.internal.store.mongo.admin;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.WriteModel;
import dev.sluice.internal.store.mongo.connection.MongoFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * A copy of the overrides that this instance read most recently. If MongoDB loses overrides, the instance restores them
 * from this backup. Overrides are lost if the collection is dropped, if an older database backup is restored, or if a
 * member without the latest data becomes primary.
 *
 * @param version the version of the overrides
 * @param readMillis when the overrides were read, by the server's clock
 */
record MongoOverrideBackup(OverrideVersion version, List<Document> documents, long readMillis) {

    static final MongoOverrideBackup NONE = new MongoOverrideBackup(OverrideVersion.NONE, List.of(), 0);

    /** The assumed maximum difference between the clocks of two successive servers. */
    private static final long CLOCKS_DIFFER_MILLIS = 10_000;

    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);
    private static final ReplaceOptions UPSERT = new ReplaceOptions().upsert(true);

    /**
     * Restores lost overrides, except those that operators have set again or that have expired. Returns the number of
     * restored overrides. Also removes overrides that have reappeared from an older state: an override that was set
     * before this backup was read, but is not in the backup, had already been removed.
     *
     * @param most the maximum number of overrides
     */
    int putBack(MongoCollection<Document> limits, Bson all, int most, long nowMillis) {
        Map<Object, Document> there = new HashMap<>();
        limits.find(Filters.and(all, OverrideDocument.READABLE))
                .projection(OverrideDocument.FIELDS)
                .limit(most + 1)
                .forEach(one -> there.put(id(one), one));
        List<WriteModel<Document>> writes = new ArrayList<>();
        int room = most - there.size();
        for (Document known : documents) {
            Document other = there.remove(id(known));
            long until = OverrideDocument.read(known).untilMillis();
            boolean isOver = until != 0 && until <= nowMillis;
            if (!isOver && (other == null ? room > 0 : setMillis(other) < setMillis(known))) {
                room -= other == null ? 1 : 0;
                writes.add(new ReplaceOneModel<>(unchanged(id(known), other), known, UPSERT));
            }
        }
        int put = writes.size();
        for (Document unknown : there.values()) {
            if (setMillis(unknown) > 0 && setMillis(unknown) < readMillis - CLOCKS_DIFFER_MILLIS) {
                writes.add(new DeleteOneModel<>(unchanged(id(unknown), unknown)));
            }
        }
        return put - write(limits, writes);
    }

    /**
     * Writes all changes. Returns the number of changes that were not written because an operator has set the same
     * override in the meantime. Each write is conditional on the time at which the stored override was set, so an
     * operator's new override wins over the backup.
     */
    private static int write(MongoCollection<Document> limits, List<WriteModel<Document>> writes) {
        if (writes.isEmpty()) {
            return 0;
        }
        try {
            var unused = limits.bulkWrite(writes, UNORDERED);
            return 0;
        } catch (MongoBulkWriteException e) {
            if (!MongoFailure.areConflicts(e)) {
                throw e;
            }
            return e.getWriteErrors().size();
        }
    }

    /**
     * Writes the new version if the stored version has not changed since it was read. Returns whether the version was
     * written. If not, another instance is also restoring overrides, and the caller has to check again.
     */
    boolean writeVersion(MongoCollection<Document> limits, String id, @Nullable Document found) {
        Document next = OverrideVersion.of(found).afterPuttingBack(id, version);
        try {
            if (found == null) { // the version is missing or unreadable
                var unused = limits.replaceOne(
                        Filters.and(Filters.eq("_id", id), Filters.nor(OverrideVersion.READABLE)), next, UPSERT);
                return true;
            }
            Bson unchanged = Filters.and(
                    Filters.eq("_id", id),
                    Filters.eq(OverrideVersion.BIRTH, found.get(OverrideVersion.BIRTH)),
                    Filters.eq(OverrideVersion.NUMBER, found.get(OverrideVersion.NUMBER)));
            return limits.replaceOne(unchanged, next).getMatchedCount() > 0;
        } catch (MongoException e) {
            if (!MongoFailure.isConflict(e.getCode())) {
                throw e;
            }
            return false;
        }
    }

    private static Bson unchanged(Object id, @Nullable Document found) {
        return new Document("_id", id)
                .append(OverrideDocument.SET, found == null ? null : found.get(OverrideDocument.SET));
    }

    private static Object id(Document limit) {
        return limit.get("_id", Object.class);
    }

    private static long setMillis(Document limit) {
        return OverrideDocument.read(limit).setMillis();
    }
}
