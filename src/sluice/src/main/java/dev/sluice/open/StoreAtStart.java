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

/** Makes sure that the store answers before a limiter starts, if the file requires it. */
final class StoreAtStart {

    /** The minimum time to keep trying, because a store may refuse exchanges while it connects. */
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private static final Duration PAUSE = Duration.ofMillis(200);
    /** The longest wait for one exchange. Our stores time out by themselves, but an application's own store may not. */
    private static final Duration LONGEST_EXCHANGE = Duration.ofSeconds(30);

    private StoreAtStart() {}

    /**
     * Returns once the store has answered.
     *
     * @throws StoreException if it does not within the time that the file gives it; the message says what to do
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

    /** Sends an exchange that counts nothing. Returns why it failed; {@code null} if the store answered. */
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
        return failure instanceof TimeoutException ? "no answer came" : Quote.message(failure);
    }

    private static String sentence(LimitsFile file, String reason) {
        return "the store does not answer (" + reason + "), and " + file.name() + " says store.onStart: "
                + file.store().onStart()
                + ", so the limiter does not start. Check the store and store.uri, or write onStart: go-on to start "
                + "without the store";
    }
}
