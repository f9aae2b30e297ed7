package dev.sluice.snippets;

import dev.sluice.Call;
import dev.sluice.TestCall;
import dev.sluice.open.Sluice;
import java.nio.file.Path;
import java.util.List;

/** Two instances of the service on the pages, and its callers. */
final class TwoInstances implements AutoCloseable {

    private final Sluice one;
    private final Sluice other;

    /** Starts instances that read this file and count together in this store. */
    TwoInstances(Path file, String store) {
        one = Sluice.builder().config(file.toString()).store(store).open();
        other = Sluice.builder().config(file.toString()).store(store).open();
    }

    /** Makes this number of calls for the tenant, which go to the instances in turn. */
    void call(String path, String tenant, int times) {
        Call call = TestCall.get(path).of(tenant);
        List<Sluice> instances = List.of(one, other);
        for (int i = 0; i < times; i++) {
            instances.get(i % 2).decide(call);
        }
    }

    @Override
    public void close() {
        one.close();
        other.close();
    }
}
