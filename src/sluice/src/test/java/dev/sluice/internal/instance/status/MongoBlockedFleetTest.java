package dev.sluice.internal.instance.status;

import dev.sluice.internal.store.OperatedStore;
import dev.sluice.internal.store.admin.BlockStore;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("store")
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
