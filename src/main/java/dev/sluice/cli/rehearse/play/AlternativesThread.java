package dev.sluice.cli.rehearse.play;

import static java.util.Objects.requireNonNull;

import dev.sluice.cli.rehearse.call.CallBatch;
import dev.sluice.cli.rehearse.call.LoggedCall;
import dev.sluice.internal.thread.BackgroundThreads;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Plays calls to the alternatives on a second thread, so that they do not slow down the rehearsal if there is a second
 * processor: a few thousand calls at a time, to one alternative after the other. Not thread-safe: only the rehearsal's
 * thread calls it, and reads the results after {@link #finish}.
 */
final class AlternativesThread implements AutoCloseable {

    /** If this many batches are queued, further calls wait until the first is played. */
    private static final int BATCHES = 4;

    private static final int BATCH_BYTES = 1 << 18;

    private final List<AlternativeLimits> alternatives;
    private final ExecutorService thread = BackgroundThreads.timer("rehearse-alternatives");
    private final Deque<Future<?>> given = new ArrayDeque<>();
    private @Nullable CallBatch batch;
    /** The view with which the thread reads all batches. */
    private @Nullable LoggedCall view;

    AlternativesThread(List<AlternativeLimits> alternatives) {
        this.alternatives = alternatives;
    }

    void play(LoggedCall call) {
        CallBatch filled = batch;
        if (filled != null && filled.add(call)) {
            return;
        }
        if (filled != null) {
            give(filled);
        }
        CallBatch next = new CallBatch(Math.max(BATCH_BYTES, call.length()));
        next.add(call);
        batch = next;
        view = view == null ? call.newView() : view;
    }

    private void give(CallBatch calls) {
        if (given.size() == BATCHES) {
            await(given.remove());
        }
        LoggedCall shown = requireNonNull(view);
        given.add(thread.submit(() -> alternatives.forEach(alternative -> calls.forEach(shown, alternative::play))));
    }

    private static void await(Future<?> played) {
        try {
            played.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while calls were played", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof OutOfMemoryError tooLittle) {
                throw tooLittle;
            }
            throw new IllegalStateException("the comparison of algorithms failed: " + e.getCause(), e);
        }
    }

    /** Call after the last call; blocks until all are played. */
    void finish() {
        if (batch != null) {
            give(batch);
        }
        given.forEach(AlternativesThread::await);
    }

    @Override
    public void close() {
        thread.shutdownNow();
        alternatives.forEach(AlternativeLimits::close);
    }
}
