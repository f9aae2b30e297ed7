package dev.sluice.internal.servlet.contract;

import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.perMinute;

import dev.sluice.TestLimits;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Limits.PendingCalls;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SharingOptions.OnFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A store that answers when the test allows it. */
public final class SlowStore implements CounterStore {

    private final CounterStore store = CounterStores.open(CounterStores.MEMORY);
    private volatile CompletableFuture<Boolean> gate = CompletableFuture.completedFuture(true);

    /** A limit of five calls a minute. Up to the given number of threads wait for the store, each for a minute. */
    public static Limits patientLimits(int mostPending) {
        Limits limits = TestLimits.of(endpoint("print", "/print", perMinute(5)));
        return new Limits(
                limits.endpoints(),
                limits.subjects(),
                true,
                1_000,
                limits.responses(),
                new SharingOptions(OnFailure.LOCAL, Duration.ofMinutes(1)),
                List.of(),
                List.of(),
                new PendingCalls(mostPending, mostPending, 0));
    }

    /** From now on, exchanges are answered only once it is made quick again. */
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
