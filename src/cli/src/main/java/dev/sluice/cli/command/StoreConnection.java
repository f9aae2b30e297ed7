package dev.sluice.cli.command;

import dev.sluice.CounterKey;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.OperatedStore;
import dev.sluice.internal.store.admin.BlockStore;
import dev.sluice.internal.store.admin.CounterGifts;
import dev.sluice.internal.store.admin.Instances;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.internal.store.admin.OverrideStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** A command's connection to a store. If the store fails, the command ends with {@link ExitCodes#STORE_UNAVAILABLE}. */
public final class StoreConnection implements AutoCloseable {

    private final OperatedStore store;

    private StoreConnection(OperatedStore store) {
        this.store = store;
    }

    static StoreConnection connected(OperatedStore store) {
        StoreConnection open = new StoreConnection(store);
        try {
            // Drivers connect lazily. Without this query, a connection failure would surface only at the first real
            // query, perhaps in the middle of the output.
            var unused = open.overrides(overrides -> overrides.connected());
            return open;
        } catch (CommandFailure e) {
            store.close();
            throw e;
        }
    }

    /** Returns the store's address without its password. */
    public String name() {
        return store.name();
    }

    /** Queries or changes the limits that are set in the store, and waits for the result. */
    public <T> T overrides(Function<OverrideStore, CompletionStage<T>> question) {
        return answer(question.apply(store.overrides()));
    }

    /** Queries the blocked callers, or ends a block. Waits for the result. */
    public <T> T blocks(Function<BlockStore, CompletionStage<T>> question) {
        return answer(question.apply(store.blocks()));
    }

    /** Queries the instances that use the store, and waits for the result. */
    public <T> T instances(Function<Instances, CompletionStage<T>> question) {
        return answer(question.apply(store.instances()));
    }

    /** Gives calls to counters, or gives back the calls that they count as used. Waits for the result. */
    public <T> T gifts(Function<CounterGifts, CompletionStage<T>> work) {
        return answer(work.apply(store.gifts()));
    }

    /** Queries the counters in the store, and waits for the result. */
    public <T> T counters(Function<LiveCounters, CompletionStage<T>> question) {
        return answer(question.apply(store.counters()));
    }

    /**
     * Passes the keys of all counters to the sink in chunks of a few hundred.
     *
     * @param goesOn whether to continue scanning; called before each chunk
     * @return whether the scan reached the end
     */
    public boolean scan(BooleanSupplier goesOn, Consumer<List<CounterKey>> sink) {
        Optional<LiveCounters.Position> next = Optional.of(LiveCounters.Position.FIRST);
        while (next.isPresent() && goesOn.getAsBoolean()) {
            LiveCounters.Position from = next.get();
            LiveCounters.Page found = counters(counters -> counters.scan(from));
            sink.accept(found.keys());
            next = found.next();
        }
        return next.isEmpty();
    }

    private static <T> T answer(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreException trouble) {
                throw new CommandFailure(ExitCodes.STORE_UNAVAILABLE, String.valueOf(trouble.getMessage()), trouble);
            }
            throw e;
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
