package dev.sluice.servlet.contract;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.store.CounterStores;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Answers when the test allows it. */
public final class SlowStore implements CounterStore {

    private final CounterStore store = CounterStores.open(CounterStores.MEMORY);
    private volatile CompletableFuture<Boolean> gate = CompletableFuture.completedFuture(true);

    /** From now on, exchanges are answered once it is quick again. */
    public void beSlow() {
        gate = new CompletableFuture<>();
    }

    public void beQuick() {
        gate.complete(true);
    }

    @Override
    public CompletionStage<Batch.Reply> exchange(Batch batch) {
        return gate.thenCompose(open -> store.exchange(batch));
    }

    @Override
    public void subscribe(String instance, Consumer<News> listener) {
        store.subscribe(instance, listener);
    }

    @Override
    public void close() {
        store.close();
    }
}
