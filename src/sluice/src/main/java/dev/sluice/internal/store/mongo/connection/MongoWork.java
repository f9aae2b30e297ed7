package dev.sluice.internal.store.mongo.connection;

import com.mongodb.client.MongoDatabase;

/** Work on the database that must finish before a deadline. */
@FunctionalInterface
public interface MongoWork<T> {

    /** Performs the work on one of the link's threads. Can throw any of the driver's exceptions. */
    T in(MongoDatabase database, long deadlineNanos);
}
