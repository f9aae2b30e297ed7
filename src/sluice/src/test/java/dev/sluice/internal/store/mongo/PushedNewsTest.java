package dev.sluice.internal.store.mongo;

import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.store.contract.NewsContract;
import dev.sluice.store.contract.StoreUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a store tells of exchanges, where the server pushes it. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("store")
@Tag("thorough")
class PushedNewsTest extends NewsContract {

    private static MongoServerInProcess mongo;

    PushedNewsTest() {
        super(new StoreUnderTest() {
            @Override
            public CounterStore open() {
                return CounterStores.open(mongo.patientUri());
            }

            @Override
            public int manyStatements() {
                return 1_000;
            }
        });
    }

    @BeforeAll
    static void start() {
        mongo = MongoServerInProcess.openWithOplog();
    }

    @AfterAll
    static void stop() {
        mongo.close();
    }
}
