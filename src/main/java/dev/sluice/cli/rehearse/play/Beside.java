package dev.sluice.cli.rehearse.play;

import dev.sluice.cli.rehearse.format.LoggedCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Plays calls to the alternatives on a thread of its own, some thousands at a time, so that they need not make the
 * rehearsal slower where there is a second processor. The thread that rehearses gives calls, and reads what was counted
 * once it has said that there are no more.
 */
final class Beside implements AutoCloseable {

    private static final int BATCH = 4_096;
    private static final int BATCHES = 4;

    private final List<Alternative> alternatives;
    private final BlockingQueue<List<LoggedCall>> given = new ArrayBlockingQueue<>(BATCHES);
    private final Thread thread = new Thread(this::playAll, "rehearse-alternatives");
    private List<LoggedCall> batch = new ArrayList<>(BATCH);
    private volatile @Nullable Throwable fault;
    private boolean isOver;

    Beside(List<Alternative> alternatives) {
        this.alternatives = alternatives;
        thread.setDaemon(true);
        thread.start();
    }

    void play(LoggedCall call) {
        batch.add(call);
        if (batch.size() == BATCH) {
            give();
        }
    }

    private void give() {
        Throwable thrown = fault;
        if (thrown != null) {
            throw new IllegalStateException("the comparison of algorithms failed: " + thrown, thrown);
        }
        put(batch);
        batch = new ArrayList<>(BATCH);
    }

    private void put(List<LoggedCall> calls) {
        try {
            given.put(calls);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while calls were played", e);
        }
    }

    private void playAll() {
        try {
            for (List<LoggedCall> calls = given.take(); !calls.isEmpty(); calls = given.take()) {
                for (LoggedCall call : calls) {
                    alternatives.forEach(alternative -> alternative.play(call));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            fault = e;
            given.clear(); // so that whoever gives does not wait, and hears of it next time
        }
    }

    /** There are no more; comes back once all were played. */
    void finish() {
        if (isOver) {
            return;
        }
        isOver = true;
        if (!batch.isEmpty()) {
            give();
        }
        put(List.of());
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Throwable thrown = fault;
        if (thrown != null) {
            throw new IllegalStateException("the comparison of algorithms failed: " + thrown, thrown);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        alternatives.forEach(Alternative::close);
    }
}
