package dev.sluice.config.status;

import dev.sluice.store.OperatedStore;
import dev.sluice.store.mongo.MongoServerInProcess;
import dev.sluice.store.operated.BlockStore;
import org.junit.jupiter.api.AfterEach;

class MongoBlockedFleetTest extends BlockedFleetContract {

    private final MongoServerInProcess mongo = MongoServerInProcess.open();

    @Override
    BlockStore connect() {
        OperatedStore store = OperatedStore.open(mongo.patientUri());
        store.overrides().close();
        store.instances().close();
        store.counters().close();
        return store.blocks();
    }

    @AfterEach
    void stop() {
        mongo.close();
    }
}
