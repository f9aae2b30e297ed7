package dev.sluice.internal.instance.status;

import dev.sluice.internal.store.admin.BlockStore;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import java.time.InstantSource;

class InMemoryBlockedFleetTest extends BlockedFleetContract {

    private final InMemoryCounterStore store = new InMemoryCounterStore(InstantSource.system(), 1);

    @Override
    BlockStore connect() {
        return store.blocks();
    }
}
