package dev.sluice.internal.store.mongo.connection;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import dev.sluice.internal.text.SafeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An index that Sluice tries to create on a collection. The index only saves time or space; counting does not depend on
 * it. MongoDB can refuse to create the index because the user lacks the privilege, or because a different index
 * conflicts with it. The refusal is then logged, and Sluice continues without the index.
 *
 * @param field the indexed field
 * @param life for a TTL index, how long after the time in the field MongoDB removes the document; otherwise
 *     {@code null}
 */
public record WantedIndex(String field, @Nullable Duration life) {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.store");

    /**
     * The error codes Unauthorized, CannotCreateIndex, IndexOptionsConflict and IndexKeySpecsConflict, plus the code
     * that Atlas uses for all of these errors.
     */
    private static final Set<Integer> REFUSALS = Set.of(13, 67, 85, 86, 8000);

    /** Creates the index if MongoDB allows it. Propagates the driver's other exceptions. */
    public void make(MongoCollection<Document> documents, MongoAddress address) {
        IndexOptions options = new IndexOptions().sparse(life == null);
        if (life != null) {
            options.expireAfter(life.toSeconds(), TimeUnit.SECONDS);
        }
        try {
            String unused = documents.createIndex(Indexes.ascending(field), options);
        } catch (MongoCommandException e) {
            if (!REFUSALS.contains(e.getErrorCode())) {
                throw e;
            }
            if (!isThere(documents)) {
                warn(documents, address, e);
            }
        }
    }

    /**
     * Whether the index exists. Even if this user is not allowed to create indexes, an administrator might have created
     * it.
     */
    private boolean isThere(MongoCollection<Document> documents) {
        try {
            return documents.listIndexes().into(new ArrayList<>()).stream().anyMatch(this::isThis);
        } catch (MongoCommandException e) {
            return false; // the user is not allowed to list indexes, either
        }
    }

    private boolean isThis(Document index) {
        boolean isOnField = new Document(field, 1).equals(index.get("key"));
        return isOnField
                && (life == null
                        || (index.get("expireAfterSeconds") instanceof Number seconds
                                && seconds.longValue() == life.toSeconds()));
    }

    private void warn(MongoCollection<Document> documents, MongoAddress address, MongoCommandException refusal) {
        LOG.warn(
                "{} refuses the index on \"{}\" of {} ({}). Counting is not affected, but {}",
                address,
                field,
                documents.getNamespace().getCollectionName(),
                SafeText.line(refusal.getErrorCodeName() + ": " + refusal.getErrorMessage()),
                life == null
                        ? "expired documents are found more slowly"
                        : "expired documents might not be removed. Create the index with expireAfterSeconds "
                                + life.toSeconds() + ", or grant this user createIndex");
    }
}
