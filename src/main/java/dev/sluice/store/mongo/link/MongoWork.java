package dev.sluice.store.mongo.link;

import com.mongodb.client.MongoDatabase;

/** What is done with the database, with the time until which it is worth doing. */
@FunctionalInterface
public interface MongoWork<T> {

    /** Does it, on one of the link's threads; fails with whatever the driver throws. */
    T in(MongoDatabase database, long deadlineNanos);
}
