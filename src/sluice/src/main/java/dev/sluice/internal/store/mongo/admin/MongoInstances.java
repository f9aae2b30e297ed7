package dev.sluice.internal.store.mongo.admin;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Updates;
import dev.sluice.internal.store.admin.InstanceReport;
import dev.sluice.internal.store.admin.Instances;
import dev.sluice.internal.store.mongo.connection.IndexedCollection;
import dev.sluice.internal.store.mongo.connection.MongoLink;
import dev.sluice.internal.store.mongo.connection.WantedIndex;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.bson.Document;

/**
 * The instances that report to a MongoDB database. Each instance has one document. Instances with the same limits file
 * share one document that contains these limits. Each instance replaces only its own document, so the documents need no
 * versions. Thread-safe.
 */
public final class MongoInstances implements Instances {

    private static final String NAME = "sluice.instances";
    private static final String ID = "_id";
    private static final String REPORT = "report";
    private static final String REFUSALS = "refusals";
    private static final String LIMITS = "limits";
    private static final String EXPIRE = "expire";
    private static final int LONGEST_REPORT = 1 << 16;
    private static final int MOST = 10_000;

    private final MongoLink link;
    private final IndexedCollection collection;

    /** Creates an object that uses the given link. {@link #close} also closes the link. */
    public MongoInstances(MongoLink link) {
        this.link = link;
        this.collection = new IndexedCollection(link, NAME, new WantedIndex(EXPIRE, Duration.ZERO));
    }

    @Override
    public CompletionStage<Boolean> write(InstanceReport report, String limits) {
        return collection.use(instances -> {
            Instant expire = expire(LIFE.toMillis());
            String head = InstanceReport.head(report.text());
            upsert(
                    instances,
                    new Document(ID, "instance:" + report.name())
                            .append(REPORT, head)
                            .append(REFUSALS, report.text().substring(head.length()))
                            .append(EXPIRE, expire));
            if (!report.fileDigest().isEmpty()) {
                write(instances, "file:" + report.fileDigest(), limits);
            }
            return true;
        });
    }

    private void write(MongoCollection<Document> instances, String id, String limits) {
        Instant expire = expire(2 * LIFE.toMillis());
        // The limits of this file are usually stored already. In that case, this only extends their expiry time without
        // sending the text. If two instances store the limits at the same time, both write the same text.
        boolean isKnown = instances
                        .updateOne(Filters.eq(ID, id), Updates.set(EXPIRE, expire))
                        .getMatchedCount()
                > 0;
        if (!isKnown) {
            upsert(instances, new Document(ID, id).append(LIMITS, limits).append(EXPIRE, expire));
        }
    }

    private static void upsert(MongoCollection<Document> instances, Document document) {
        instances.replaceOne(Filters.eq(ID, document.get(ID)), document, new ReplaceOptions().upsert(true));
    }

    private Instant expire(long inMillis) {
        return Instant.ofEpochMilli(link.nowMillis() + inMillis);
    }

    @Override
    public CompletionStage<Boolean> leave(String name) {
        return collection.use(instances ->
                instances.deleteOne(Filters.eq(ID, "instance:" + name)).getDeletedCount() > 0);
    }

    @Override
    public CompletionStage<List<InstanceReport>> all() {
        return collection.use(instances -> reports(live(instances)));
    }

    @Override
    public CompletionStage<List<InstanceReport>> heads() {
        // The server omits the refusals, which are by far the largest part.
        return collection.use(instances -> reports(live(instances).projection(Projections.exclude(REFUSALS))));
    }

    private FindIterable<Document> live(MongoCollection<Document> instances) {
        return instances
                .find(Filters.and(Filters.exists(REPORT), Filters.gt(EXPIRE, expire(0))))
                .limit(MOST);
    }

    private static List<InstanceReport> reports(FindIterable<Document> documents) {
        List<InstanceReport> reports = new ArrayList<>();
        for (Document found : documents) {
            if (found.get(ID) instanceof String id
                    && found.get(REPORT) instanceof String head
                    && id.startsWith("instance:")) {
                String text = head + (found.get(REFUSALS) instanceof String refusals ? refusals : "");
                if (text.length() <= LONGEST_REPORT) {
                    InstanceReport.of(id.substring("instance:".length()), text).ifPresent(reports::add);
                }
            }
        }
        return reports;
    }

    @Override
    public CompletionStage<String> limitsOfFile(String digest) {
        return collection.use(instances -> {
            Document found = instances.find(Filters.eq(ID, "file:" + digest)).first();
            return found != null && found.get(LIMITS) instanceof String text && text.length() <= LONGEST_LIMITS
                    ? text
                    : "";
        });
    }

    @Override
    public void close() {
        link.close();
    }
}
