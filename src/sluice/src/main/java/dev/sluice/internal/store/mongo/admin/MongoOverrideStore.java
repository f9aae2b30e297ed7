package dev.sluice.internal.store.mongo.admin;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.store.mongo.connection.IndexedCollection;
import dev.sluice.internal.store.mongo.connection.MongoFailure;
import dev.sluice.internal.store.mongo.connection.MongoLink;
import dev.sluice.internal.store.mongo.connection.WantedIndex;
import dev.sluice.limits.ClientOverride;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores client overrides in a collection, with one document per override. A separate document contains the version.
 * Every change increments the version, so a poll costs only one query if nothing has changed. The version changes after
 * an operator has set or removed an override, and before the store removes an expired override. An instance reads the
 * version before the overrides, so the overrides are never older than that version. If they are newer, the next poll
 * finds a different version and reads the overrides again. The store also restores overrides that MongoDB has lost.
 * Thread-safe.
 */
public final class MongoOverrideStore implements OverrideStore {

    private static final String NAME = "sluice.limits";
    private static final String NAME_OF_HISTORY = "sluice.limits.history";
    private static final String ID = "_id";
    /** The id of the version. No id of an override starts with an exclamation mark. */
    private static final String VERSION = "!version";

    private static final String UNTIL = "until";
    private static final Bson LIMITS = Filters.ne(ID, VERSION);
    private static final int MOST_ATTEMPTS = 5;
    private static final int MOST_UNREAD = 1000;
    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.store");

    private final MongoLink link;
    private final IndexedCollection collection;
    private final IndexedCollection history;
    /** The overrides as of the last poll that found a change. */
    private volatile MongoOverrideBackup latest = MongoOverrideBackup.NONE;

    /** Creates a store that uses the given link. {@link #close} also closes the link. */
    public MongoOverrideStore(MongoLink link) {
        this.link = link;
        // MongoDB must not remove expired overrides, because that would not change the version. This index therefore
        // only speeds up finding them. The history has no version, so MongoDB can remove its old entries.
        this.collection = new IndexedCollection(link, NAME, new WantedIndex(UNTIL, null));
        this.history =
                new IndexedCollection(link, NAME_OF_HISTORY, new WantedIndex(OverrideDocument.SET, HISTORY_LASTS));
    }

    @Override
    public CompletionStage<Optional<Overrides>> changedSince(String version) {
        return collection.use(limits -> {
            OverrideVersion now = follow(limits);
            for (int attempt = 0; now.lacks(latest.version()) && attempt < MOST_ATTEMPTS; attempt++) {
                putBack(limits, latest);
                now = follow(limits);
            }
            return now.text().equals(version) ? Optional.empty() : Optional.of(taken(limits, now));
        });
    }

    private Overrides taken(MongoCollection<Document> limits, OverrideVersion version) {
        List<Document> documents = documents(limits);
        latest = new MongoOverrideBackup(version, documents, link.nowMillis());
        return StoredOverride.overrides(version.text(), withUnread(limits, documents), link.nowMillis());
    }

    /**
     * Restores the overrides that still apply on this instance, so that operators and other instances can see them
     * again. Writes the version last. If this method fails before that step, the stored version still reveals the loss,
     * and the next poll tries again.
     */
    private void putBack(MongoCollection<Document> limits, MongoOverrideBackup lost) {
        Document version = limits.find(Filters.and(Filters.eq(ID, VERSION), OverrideVersion.READABLE))
                .projection(OverrideVersion.FIELDS)
                .first();
        if (!OverrideVersion.of(version).lacks(lost.version())) {
            return; // another instance has restored the overrides in the meantime
        }
        int put = lost.putBack(limits, LIMITS, MOST, link.nowMillis());
        var unused = lost.writeVersion(limits, VERSION, version);
        if (put > 0) {
            LOG.warn(
                    "{} has lost client overrides. They remained in force on this instance, and {} restored",
                    link.address(),
                    put == 1 ? "1 has been" : put + " have been");
        }
    }

    @Override
    public CompletionStage<List<StoredOverride>> all() {
        return collection.use(limits -> withUnread(limits, documents(limits)));
    }

    @Override
    public CompletionStage<String> version() {
        return collection.use(limits -> follow(limits).text());
    }

    /**
     * Removes expired overrides, and returns the version. A single query finds both the version and the expired
     * overrides.
     */
    private OverrideVersion follow(MongoCollection<Document> limits) {
        Bson over = Filters.lte(UNTIL, Instant.ofEpochMilli(link.nowMillis()));
        Document version = null;
        boolean isAnyOver = false;
        Bson current = Filters.and(Filters.eq(ID, VERSION), OverrideVersion.READABLE);
        for (Document found :
                limits.find(Filters.or(current, Filters.and(LIMITS, over))).projection(OverrideVersion.FIELDS)) {
            boolean isVersion = VERSION.equals(found.get(ID));
            version = isVersion ? found : version;
            isAnyOver = isAnyOver || !isVersion;
        }
        if (isAnyOver) {
            version = change(limits);
            limits.deleteMany(over);
        }
        return OverrideVersion.of(version);
    }

    private static @Nullable Document change(MongoCollection<Document> limits) {
        try {
            return changeOnce(limits);
        } catch (MongoCommandException e) {
            // If two instances insert the first version at the same time, some servers retry the failed insert as an
            // update, but others report a duplicate key to one of the two instances.
            if (!MongoFailure.isConflict(e.getErrorCode())) {
                throw e;
            }
            return changeOnce(limits);
        }
    }

    private static @Nullable Document changeOnce(MongoCollection<Document> limits) {
        // The server increments the number atomically, so no concurrent change is lost. If the reply is lost and an
        // operator retries, the number is incremented twice. The only effect is that other instances read the overrides
        // one more time.
        return limits.findOneAndUpdate(
                Filters.eq(ID, VERSION),
                Updates.combine(
                        Updates.inc(OverrideVersion.NUMBER, 1L),
                        Updates.setOnInsert(
                                OverrideVersion.BIRTH, UUID.randomUUID().toString())),
                new FindOneAndUpdateOptions()
                        .upsert(true)
                        .projection(OverrideVersion.FIELDS)
                        .returnDocument(ReturnDocument.AFTER));
    }

    /**
     * The readable overrides that have not expired. Reads one override more than the maximum in order to detect whether
     * there are too many.
     */
    private List<Document> documents(MongoCollection<Document> limits) {
        List<Document> kept = new ArrayList<>();
        long size = 0;
        for (Document found : limits.find(Filters.and(LIMITS, OverrideDocument.READABLE))
                .projection(OverrideDocument.FIELDS)
                .limit(MOST + 1)) {
            long until = OverrideDocument.read(found).untilMillis();
            if (until == 0 || until > link.nowMillis()) {
                kept.add(found);
                size += OverrideDocument.size(found);
            }
            if (size > StoredOverride.MOST_BYTES) {
                throw OverrideStore.tooLarge(link.address().toString());
            }
        }
        if (kept.size() > MOST) {
            throw OverrideStore.tooMany(link.address().toString());
        }
        return kept;
    }

    /**
     * The readable overrides, plus the names of unreadable documents that do not come from Sluice. Operators see both.
     */
    private static List<StoredOverride> withUnread(MongoCollection<Document> limits, List<Document> readable) {
        List<StoredOverride> all = new ArrayList<>();
        readable.forEach(one -> all.add(OverrideDocument.read(one)));
        limits.find(Filters.and(LIMITS, OverrideDocument.NAMED, Filters.nor(OverrideDocument.READABLE)))
                .projection(Projections.include(ID))
                .limit(MOST_UNREAD)
                .forEach(one -> all.add(StoredOverride.unread(one.getString(ID), "not a limit")));
        long unnamed = limits.countDocuments(Filters.and(LIMITS, Filters.nor(OverrideDocument.NAMED)));
        if (unnamed > 0) {
            all.add(StoredOverride.unread("a document that does not name a limit", unnamed + " of them"));
        }
        return all;
    }

    @Override
    public CompletionStage<Boolean> set(ClientOverride limit, StoredOverride.Note note) {
        return collection
                .use(limits -> {
                    String field = StoredOverride.field(limit);
                    boolean isThere = limits.countDocuments(Filters.eq(ID, field)) > 0;
                    if (!isThere && limits.countDocuments() > MOST) { // not >=, because the version is also a document
                        throw OverrideStore.tooMany(link.address().toString());
                    }
                    limits.replaceOne(
                            Filters.eq(ID, field),
                            OverrideDocument.of(limit, note, link.nowMillis()),
                            new ReplaceOptions().upsert(true));
                    var unused = change(limits);
                    return true;
                })
                .thenCompose(done -> remember(limit, note));
    }

    @Override
    public CompletionStage<Boolean> unset(ClientOverride limit, StoredOverride.Note note) {
        return collection
                .use(limits -> {
                    boolean wasThere = limits.deleteOne(Filters.eq(ID, StoredOverride.field(limit)))
                                    .getDeletedCount()
                            > 0;
                    var unused = change(limits); // always: an earlier attempt might have failed before this step
                    return wasThere;
                })
                .thenCompose(wasThere ->
                        wasThere ? remember(limit.withoutTiers(), note) : CompletableFuture.completedFuture(false));
    }

    @Override
    public CompletionStage<Boolean> remember(ClientOverride limit, StoredOverride.Note note) {
        return history.use(changes -> {
            Document change = OverrideDocument.of(limit, note, link.nowMillis());
            change.put(ID, new ObjectId().toHexString()); // ids increase, so changes keep their order
            var unused = changes.insertOne(change);
            long tooMany = changes.countDocuments() - MOST_HISTORY;
            if (tooMany > 0) {
                List<Object> oldest = new ArrayList<>();
                changes.find()
                        .sort(Sorts.ascending(OverrideDocument.SET))
                        .limit((int) Math.min(tooMany, MOST_UNREAD))
                        .projection(Projections.include(ID))
                        .forEach(one -> oldest.add(one.get(ID)));
                changes.deleteMany(Filters.in(ID, oldest));
            }
            return true;
        });
    }

    @Override
    public CompletionStage<List<StoredOverride>> history() {
        Instant oldest = Instant.ofEpochMilli(link.nowMillis() - HISTORY_LASTS.toMillis());
        return history.use(changes -> {
            List<StoredOverride> read = new ArrayList<>();
            changes.find(Filters.and(Filters.gte(OverrideDocument.SET, oldest), OverrideDocument.READABLE))
                    .projection(OverrideDocument.FIELDS)
                    .sort(Sorts.descending(OverrideDocument.SET, ID))
                    .limit(MOST_HISTORY)
                    .forEach(one -> read.add(OverrideDocument.read(one)));
            return read;
        });
    }

    @Override
    public CompletionStage<Boolean> connected() {
        return collection
                .use(limits -> true)
                .exceptionallyCompose(failure -> failure.getCause() instanceof TimeoutException
                        ? collection.use(limits -> true) // connecting can take twice the time limit
                        : CompletableFuture.failedFuture(failure));
    }

    @Override
    public void close() {
        link.close();
    }
}
