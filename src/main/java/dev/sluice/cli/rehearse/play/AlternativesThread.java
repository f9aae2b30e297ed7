package dev.sluice.cli.rehearse.play;

import dev.sluice.cli.rehearse.call.LoggedCall;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Plays calls to the alternatives on a second thread, so that they need not make the rehearsal slower where there is a
 * second processor: some thousands of calls at a time, to one alternative after the other. The thread that rehearses
 * gives the calls, and reads the results after {@link #finish}.
 */
final class AlternativesThread implements AutoCloseable {

    private static final int BATCHES = 4;

    private final List<AlternativeLimits> alternatives;
    private final BlockingQueue<CallBatch> given = new ArrayBlockingQueue<>(BATCHES);
    private final Thread thread = new Thread(this::playAll, "rehearse-alternatives");
    private @Nullable CallBatch batch;
    private volatile @Nullable Throwable fault;
    private boolean isOver;

    AlternativesThread(List<AlternativeLimits> alternatives) {
        this.alternatives = alternatives;
        thread.setDaemon(true);
        thread.start();
    }

    void play(LoggedCall call) {
        CallBatch filled = batch;
        if (filled != null && filled.add(call)) {
            return;
        }
        if (filled != null) {
            give(filled);
        }
        CallBatch next = new CallBatch(call);
        next.add(call);
        batch = next;
    }

    private void give(CallBatch calls) {
        requireNoFault();
        try {
            given.put(calls);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while calls were played", e);
        }
    }

    private void requireNoFault() {
        Throwable thrown = fault;
        if (thrown instanceof OutOfMemoryError tooLittle) {
            throw tooLittle;
        }
        if (thrown != null) {
            throw new IllegalStateException("the comparison of algorithms failed: " + thrown, thrown);
        }
    }

    private void playAll() {
        try {
            LoggedCall view = null;
            for (CallBatch calls = given.take(); calls != CallBatch.END; calls = given.take()) {
                view = view == null ? calls.view() : view;
                for (AlternativeLimits alternative : alternatives) {
                    calls.forEach(view, alternative::play);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            fault = e;
            given.clear(); // so that the giving thread does not wait, and sees the failure next time
        }
    }

    /** There are no more; comes back once all were played. */
    void finish() {
        if (isOver) {
            return;
        }
        isOver = true;
        if (batch != null) {
            give(batch);
        }
        give(CallBatch.END);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        requireNoFault();
    }

    @Override
    public void close() {
        thread.interrupt();
        alternatives.forEach(AlternativeLimits::close);
    }
}
