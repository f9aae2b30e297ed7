package dev.sluice.cli.command;

import dev.sluice.exchange.StoreException;
import dev.sluice.store.OperatedStore;
import dev.sluice.store.operated.Instances;
import dev.sluice.store.operated.KeptLimits;
import dev.sluice.store.operated.LiveCounters;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A store that a command is connected to. What goes wrong with it ends the command with a code of its own. */
public final class OpenStore implements AutoCloseable {

    private final OperatedStore store;

    private OpenStore(OperatedStore store) {
        this.store = store;
    }

    static OpenStore connected(OperatedStore store) {
        OpenStore open = new OpenStore(store);
        try {
            var unused = open.limits(limits -> limits.connected());
            return open;
        } catch (CommandFailure e) {
            store.close();
            throw e;
        }
    }

    /** Fit for people. */
    public String name() {
        return store.name();
    }

    /** Asks something of the limits that are set there, and waits for the answer. */
    public <T> T limits(Function<KeptLimits, CompletionStage<T>> question) {
        return answer(question.apply(store.limits()));
    }

    /** The same of the instances that live on it. */
    public <T> T instances(Function<Instances, CompletionStage<T>> question) {
        return answer(question.apply(store.instances()));
    }

    /** The same of the counters. */
    public <T> T counters(Function<LiveCounters, CompletionStage<T>> question) {
        return answer(question.apply(store.counters()));
    }

    private static <T> T answer(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreException trouble) {
                throw new CommandFailure(ExitCodes.STORE_AWAY, String.valueOf(trouble.getMessage()), trouble);
            }
            throw e;
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
