package dev.sluice.open;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.config.yaml.Quote;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Checks that the store responds before a limiter starts, if the file requires this. */
final class StoreAtStart {

    /**
     * The minimum time for which we retry. We need several attempts, because a store can reject exchanges while it is
     * still connecting.
     */
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private static final Duration PAUSE = Duration.ofMillis(200);
    /**
     * The maximum wait for one exchange. Our stores have their own timeouts, but an application's own store might not.
     */
    private static final Duration LONGEST_EXCHANGE = Duration.ofSeconds(30);

    private StoreAtStart() {}

    /**
     * Returns once the store has responded.
     *
     * @throws StoreException if the store does not respond within the time configured in the file; the message explains
     *     what to do
     */
    static void require(CounterStore store, LimitsFile file) {
        Duration patience = file.store().onStart().patience();
        Duration time = patience.compareTo(SHORTEST) > 0 ? patience : SHORTEST;
        long deadline = System.nanoTime() + time.toNanos();
        String sender = "start-" + UUID.randomUUID();
        try {
            Throwable failure = failure(store, sender);
            while (failure != null && System.nanoTime() - deadline < 0) {
                TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
                failure = failure(store, sender);
            }
            if (failure != null) {
                throw StoreException.unavailable(sentence(file, reason(failure)), failure);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.unavailable(sentence(file, "the start was interrupted"), e);
        }
    }

    /**
     * Sends an exchange that counts nothing. Returns the cause if it failed, or {@code null} if the store responded.
     */
    private static @Nullable Throwable failure(CounterStore store, String sender) throws InterruptedException {
        try {
            var unused = store.exchange(new Batch(sender, 1, List.of()))
                    .toCompletableFuture()
                    .get(LONGEST_EXCHANGE.toMillis(), TimeUnit.MILLISECONDS);
            return null;
        } catch (ExecutionException e) {
            return e.getCause() == null ? e : e.getCause();
        } catch (TimeoutException | RuntimeException e) {
            return e;
        }
    }

    private static String reason(Throwable failure) {
        return failure instanceof TimeoutException ? "no reply arrived in time" : Quote.message(failure);
    }

    private static String sentence(LimitsFile file, String reason) {
        return "the store does not respond (" + reason + "), and " + file.name() + " sets store.onStart: "
                + file.store().onStart()
                + ", so the limiter does not start. Check the store and store.uri, or write onStart: go-on to start "
                + "without the store";
    }
}
