package dev.sluice.internal.store.mongo.admin;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.internal.store.admin.BlockStore;
import dev.sluice.internal.store.admin.CounterNames;
import dev.sluice.internal.store.mongo.connection.IndexedCollection;
import dev.sluice.internal.store.mongo.connection.MongoFailure;
import dev.sluice.internal.store.mongo.connection.MongoLink;
import dev.sluice.internal.store.mongo.connection.WantedIndex;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.bson.BsonType;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Stores blocked callers in a collection, with one document per caller. The last step of each change increments a
 * version. If the version has not changed, a poll costs only one query for one document. If an instance reads the old
 * version during a change, its next poll detects the change. Thread-safe.
 */
public final class MongoBlockStore implements BlockStore {

    private static final String NAME = "sluice.blocks";
    private static final String ID = "_id";
    /** The id of the version. No id of a block starts with an exclamation mark. */
    private static final String VERSION = "!version";

    private static final String BIRTH = "birth";
    private static final String NUMBER = "number";
    private static final String SINCE = "since";
    private static final String UNTIL = "until";
    /** The field with the figures of a {@link Block.Cause}; absent if the cause is unknown. */
    private static final String CAUSE = "cause";

    private static final String REFUSALS = "refusals";
    private static final String WITHIN = "within";
    private static final String THRESHOLD = "threshold";
    private static final String PERIOD = "period";
    /** The field that is {@code true} if the caller can change its name at will. */
    private static final String MADE_UP = "madeUp";

    private static final String CHANGED = "changed";
    private static final String EXPIRE = "expire";

    /**
     * The overlap between one read and the next. The recorded times of changes are inexact, because each instance
     * writes them by its own estimate of the server's time.
     */
    private static final Duration OVERLAP = Duration.ofSeconds(10);

    private static final int LONGEST_NAME = 8192;
    private static final Bson BLOCKS = Filters.ne(ID, VERSION);
    /**
     * Matches documents that Sluice could have written. The server applies the filter, so other documents never reach
     * this process.
     */
    private static final Bson READABLE = Filters.and(
            OverrideDocument.isText(ID, LONGEST_NAME),
            Filters.type(SINCE, BsonType.DATE_TIME),
            Filters.type(UNTIL, BsonType.DATE_TIME),
            Filters.type(NUMBER, BsonType.INT32));

    private final MongoLink link;
    private final IndexedCollection collection;

    /** Creates a store that uses the given link. {@link #close} also closes the link. */
    public MongoBlockStore(MongoLink link) {
        this.link = link;
        this.collection = new IndexedCollection(link, NAME, new WantedIndex(EXPIRE, Duration.ZERO));
    }

    /**
     * The version of the blocks, with the time at which an instance read it.
     *
     * @param birth a random name that the first write assigns to the data; empty if no block has ever been written. A
     *     different name means that the collection was dropped
     */
    private record Version(String birth, long number, long readMillis) {

        private static final Version NONE = new Version("", 0, 0);

        static Version of(String text) {
            String[] words = text.split("\\.", 3);
            return words.length < 3 ? NONE : new Version(words[0], Long.parseLong(words[1]), Long.parseLong(words[2]));
        }

        static Version of(@Nullable Document found) {
            return found != null
                            && found.get(BIRTH) instanceof String birth
                            && found.get(NUMBER) instanceof Number number
                    ? new Version(birth, number.longValue(), 0)
                    : NONE;
        }

        Version readAt(long millis) {
            return new Version(birth, number, millis);
        }

        boolean isOfSameData(Version other) {
            return birth.equals(other.birth);
        }

        String text() {
            return birth.isEmpty() ? NOTHING : birth + '.' + number + '.' + readMillis;
        }
    }

    @Override
    public CompletionStage<Changes> exchange(String version, List<Block> begun) {
        return collection.use(blocks -> {
            if (!begun.isEmpty()) {
                put(blocks, begun);
                changed(blocks);
                forgetExcess(blocks);
            }
            Version known = Version.of(version);
            Version now = Version.of(blocks.find(Filters.eq(ID, VERSION))
                    .projection(Projections.include(BIRTH, NUMBER))
                    .first());
            boolean isLoss = !known.birth.isEmpty() && (!now.isOfSameData(known) || now.number < known.number);
            if (!isLoss && now.isOfSameData(known) && now.number == known.number) {
                return new Changes(version, false, false, List.of());
            }
            long readMillis = link.nowMillis();
            // After a loss, the version number does not reveal which blocks have changed, so read all blocks.
            boolean isAll = isLoss || !now.isOfSameData(known);
            List<Block> read = read(blocks, isAll ? 0 : known.readMillis - OVERLAP.toMillis());
            return new Changes(now.readAt(readMillis).text(), isLoss, false, read);
        });
    }

    private static List<Block> read(MongoCollection<Document> blocks, long fromMillis) {
        List<Block> read = new ArrayList<>();
        Bson changed = Filters.gte(CHANGED, Instant.ofEpochMilli(fromMillis));
        for (Document found : blocks.find(Filters.and(BLOCKS, READABLE, changed))
                .projection(Projections.include(SINCE, UNTIL, NUMBER, CAUSE))
                .limit(2 * Block.MOST)) {
            block(found).ifPresent(read::add);
        }
        return read;
    }

    private static Optional<Block> block(Document found) {
        return CounterNames.of(found.getString(ID), 0, 0)
                .map(key -> new Block(
                        key,
                        millis(found.getDate(SINCE)),
                        millis(found.getDate(UNTIL)),
                        found.getInteger(NUMBER),
                        found.get(CAUSE) instanceof Document cause ? cause(cause) : null));
    }

    private static Block.@Nullable Cause cause(Document found) {
        return found.get(REFUSALS) instanceof Integer refusals
                        && found.get(WITHIN) instanceof Long within
                        && found.get(THRESHOLD) instanceof Long threshold
                        && found.get(PERIOD) instanceof Long period
                ? new Block.Cause(refusals, within, threshold, period)
                : null;
    }

    private static @Nullable Document document(Block.@Nullable Cause cause) {
        return cause == null
                ? null
                : new Document(REFUSALS, cause.refusals())
                        .append(WITHIN, cause.withinMillis())
                        .append(THRESHOLD, cause.threshold())
                        .append(PERIOD, cause.periodMillis());
    }

    private static long millis(Date date) {
        return date.toInstant().toEpochMilli();
    }

    /**
     * Writes blocks, unless a newer block of the same caller is already stored. Writing the same block twice has no
     * effect, so a retry after a lost reply is harmless.
     */
    private void put(MongoCollection<Document> blocks, List<Block> begun) {
        List<UpdateOneModel<Document>> writes = begun.stream().map(this::write).toList();
        try {
            var unused = blocks.bulkWrite(writes, new BulkWriteOptions().ordered(false));
        } catch (MongoBulkWriteException e) {
            if (!MongoFailure.areConflicts(e)) {
                throw e;
            } // the stored block is newer, so the filter did not match it and the insert failed
        }
    }

    private UpdateOneModel<Document> write(Block block) {
        Instant since = Instant.ofEpochMilli(block.sinceMillis());
        Instant until = Instant.ofEpochMilli(block.untilMillis());
        // The server compares and writes atomically. A document that was damaged by another program is treated as
        // older.
        Bson earlier = Filters.or(
                Filters.not(Filters.type(SINCE, BsonType.DATE_TIME)),
                Filters.lt(SINCE, since),
                Filters.and(Filters.eq(SINCE, since), Filters.lt(UNTIL, until)));
        return new UpdateOneModel<>(
                Filters.and(Filters.eq(ID, block.key().identity()), earlier),
                Updates.combine(
                        Updates.set(SINCE, since),
                        Updates.set(UNTIL, until),
                        Updates.set(NUMBER, block.number()),
                        Updates.set(MADE_UP, BlockStore.isMadeUp(block.key())),
                        Updates.set(CAUSE, document(block.cause())),
                        Updates.set(CHANGED, Instant.ofEpochMilli(link.nowMillis())),
                        Updates.set(EXPIRE, until.plus(Block.CALM))),
                new UpdateOptions().upsert(true));
    }

    private void changed(MongoCollection<Document> blocks) {
        Instant expire = Instant.ofEpochMilli(link.nowMillis()).plus(Block.CALM).plus(Block.CALM);
        var unused = blocks.findOneAndUpdate(
                Filters.eq(ID, VERSION),
                Updates.combine(
                        Updates.inc(NUMBER, 1L),
                        Updates.max(EXPIRE, expire),
                        Updates.setOnInsert(BIRTH, UUID.randomUUID().toString())),
                new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER));
    }

    private static void forgetExcess(MongoCollection<Document> blocks) {
        Bson areMadeUp = Filters.and(BLOCKS, Filters.eq(MADE_UP, true));
        long madeUp = blocks.countDocuments(areMadeUp);
        long verified = blocks.countDocuments(BLOCKS) - madeUp;
        long mostMadeUp = Math.max(Block.MOST / 2, Block.MOST - verified);
        forgetFirst(blocks, areMadeUp, madeUp - mostMadeUp);
        Bson areVerified = Filters.and(BLOCKS, Filters.ne(MADE_UP, true));
        forgetFirst(blocks, areVerified, verified + Math.min(madeUp, mostMadeUp) - Block.MOST);
    }

    private static void forgetFirst(MongoCollection<Document> blocks, Bson which, long tooMany) {
        if (tooMany > 0) {
            List<Object> ids = new ArrayList<>();
            blocks.find(which)
                    .projection(Projections.include(ID))
                    .sort(Sorts.ascending(UNTIL))
                    .limit((int) Math.min(tooMany, Integer.MAX_VALUE))
                    .forEach(found -> ids.add(found.get(ID)));
            var unused = blocks.deleteMany(Filters.in(ID, ids));
        }
    }

    @Override
    public CompletionStage<Boolean> unblock(CounterKey key) {
        return collection.use(blocks -> {
            Optional<Block> known = Stream.ofNullable(blocks.find(Filters.and(Filters.eq(ID, key.identity()), READABLE))
                            .projection(Projections.include(SINCE, UNTIL, NUMBER, CAUSE))
                            .first())
                    .flatMap(found -> block(found).stream())
                    .filter(block -> block.isInForce(link.nowMillis()))
                    .findFirst();
            known.ifPresent(block -> put(blocks, List.of(block.endedAt(link.nowMillis()))));
            changed(blocks); // always: an earlier attempt might have failed before this step
            return known.isPresent();
        });
    }

    @Override
    public void close() {
        link.close();
    }
}
