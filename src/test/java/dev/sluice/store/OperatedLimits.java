package dev.sluice.store;

import dev.sluice.store.operated.KeptLimits;

/** Opens only the limits of an operated store. */
public final class OperatedLimits {

    private OperatedLimits() {}

    public static KeptLimits open(String uri) {
        OperatedStore store = OperatedStore.open(uri);
        store.instances().close();
        store.counters().close();
        return store.limits();
    }
}
