package dev.sluice.store.mongo;

import dev.sluice.exchange.CounterStore;
import dev.sluice.store.CounterStoreContract;
import dev.sluice.store.CounterStores;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A MongoDB without replicas. */
class MongoCounterStoreTest extends CounterStoreContract {

    private static MongoServerInProcess mongo;

    @BeforeAll
    static void start() {
        mongo = MongoServerInProcess.open();
    }

    @AfterAll
    static void stop() {
        mongo.close();
    }

    @Override
    protected CounterStore open() {
        return CounterStores.open(mongo.patientUri());
    }

    /** The server in the process looks at all documents for each. */
    @Override
    protected int manyStatements() {
        return 1_000;
    }
}
