package dev.sluice.cli.rehearse.log;

import dev.sluice.cli.rehearse.call.CallBatch;
import dev.sluice.cli.rehearse.call.LoggedCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/** The calls that began within one second, as bytes, until they are emitted. Not thread-safe. */
final class CallsOfSecond {

    private final ChunkPool chunks;
    private final List<CallBatch> filled = new ArrayList<>(0);
    private long latestMillis;
    private boolean isSorted;

    CallsOfSecond(ChunkPool chunks) {
        this.chunks = chunks;
    }

    boolean isEmpty() {
        return filled.isEmpty();
    }

    void add(LoggedCall call) {
        long start = call.startMillis();
        isSorted = isEmpty() || (isSorted && start >= latestMillis);
        latestMillis = isEmpty() ? start : Math.max(latestMillis, start);
        if (isEmpty() || !filled.get(filled.size() - 1).add(call)) {
            filled.add(chunks.takeFor(call));
        }
    }

    /**
     * Emits all calls in the order in which they began; calls that began at the same time keep the order in which they
     * were added.
     */
    void emit(LoggedCall view, Consumer<LoggedCall> sink) {
        if (isSorted) {
            filled.forEach(chunk -> chunk.forEach(view, sink));
        } else {
            emitSorted(view, sink);
        }
        filled.forEach(chunks::giveBack);
        filled.clear();
    }

    private void emitSorted(LoggedCall view, Consumer<LoggedCall> sink) {
        List<Begun> calls = new ArrayList<>();
        filled.forEach(chunk -> chunk.forEach(view, call -> calls.add(new Begun(call.startMillis(), call.newView()))));
        calls.sort(Comparator.comparingLong(Begun::millis));
        for (Begun one : calls) {
            view.moveTo(one.call); // so that memory has the texts of one call only
            sink.accept(view);
        }
    }

    /** A call, and when it began. */
    private record Begun(long millis, LoggedCall call) {}
}
