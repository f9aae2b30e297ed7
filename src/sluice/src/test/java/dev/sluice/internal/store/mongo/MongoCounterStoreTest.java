package dev.sluice.internal.store.mongo;

import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.store.CounterStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A MongoDB without replicas. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("store")
@Tag("thorough")
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

    /** The server in the process takes long for more. */
    @Override
    protected int manyStatements() {
        return 1_000;
    }
}
