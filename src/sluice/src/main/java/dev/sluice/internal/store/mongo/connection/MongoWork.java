package dev.sluice.internal.store.mongo.connection;

import com.mongodb.client.MongoDatabase;

/** Work on the database with a deadline. */
@FunctionalInterface
public interface MongoWork<T> {

    /** Does the work, on one of the link's threads; fails with the driver's exceptions. */
    T in(MongoDatabase database, long deadlineNanos);
}
