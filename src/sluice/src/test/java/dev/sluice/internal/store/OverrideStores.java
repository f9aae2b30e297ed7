package dev.sluice.internal.store;

import dev.sluice.internal.store.admin.OverrideStore;

/** Opens only the limits of an operated store. */
public final class OverrideStores {

    private OverrideStores() {}

    public static OverrideStore open(String uri) {
        OperatedStore store = OperatedStore.open(uri);
        store.instances().close();
        store.counters().close();
        return store.overrides();
    }
}
