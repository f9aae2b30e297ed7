package dev.sluice.cli.rehearse.log;

import dev.sluice.cli.rehearse.call.LoggedCall;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** The calls that began within one second, as bytes, until they are emitted. For one thread. */
final class CallsOfSecond {

    /** The lower bits of a word are the number of the call; the higher bits are the time when it began. */
    private static final int NUMBER_BITS = 24;

    private static final long LATEST = (1L << (62 - NUMBER_BITS)) - 1;

    private final ChunkPool chunks;
    private final List<byte[]> filled = new ArrayList<>(0);
    /** By the chunk: where its bytes end. */
    private int[] ends = new int[4];

    private int count;
    private long earliestMillis;
    private long latestMillis;
    private boolean isSorted;

    CallsOfSecond(ChunkPool chunks) {
        this.chunks = chunks;
    }

    boolean isEmpty() {
        return count == 0;
    }

    void add(LoggedCall call) {
        long start = call.startMillis();
        if (count == 0) {
            earliestMillis = start;
            latestMillis = start;
            isSorted = true;
        }
        isSorted &= start >= latestMillis;
        latestMillis = Math.max(latestMillis, start);
        earliestMillis = Math.min(earliestMillis, start);
        int length = call.length();
        int last = filled.size() - 1;
        if (last < 0 || ends[last] + length > filled.get(last).length) {
            filled.add(chunks.take(length));
            last++;
            ends = last < ends.length ? ends : Arrays.copyOf(ends, 2 * last);
            ends[last] = 0;
        }
        call.copyTo(filled.get(last), ends[last]);
        ends[last] += length;
        count++;
    }

    /**
     * Emits all calls in the order in which they began; of calls that began at the same time, the first one added
     * first.
     */
    void emit(LoggedCall view, Consumer<LoggedCall> sink) {
        if (isSorted || count >= 1 << NUMBER_BITS) {
            emitInOrder(view, sink);
        } else {
            emitSorted(view, sink);
        }
        filled.forEach(chunks::giveBack);
        filled.clear();
        count = 0;
    }

    private void emitInOrder(LoggedCall view, Consumer<LoggedCall> sink) {
        for (int chunk = 0; chunk < filled.size(); chunk++) {
            byte[] bytes = filled.get(chunk);
            for (int at = 0; at < ends[chunk]; at += view.length()) {
                view.moveTo(bytes, at);
                sink.accept(view);
            }
        }
    }

    private void emitSorted(LoggedCall view, Consumer<LoggedCall> sink) {
        long[] order = new long[count];
        int[] chunkOf = new int[count];
        int[] placeOf = new int[count];
        int number = 0;
        for (int chunk = 0; chunk < filled.size(); chunk++) {
            byte[] bytes = filled.get(chunk);
            for (int at = 0; at < ends[chunk]; at += view.length()) {
                view.moveTo(bytes, at);
                chunkOf[number] = chunk;
                placeOf[number] = at;
                long since = Math.min(LATEST, view.startMillis() - earliestMillis);
                order[number] = since << NUMBER_BITS | number;
                number++;
            }
        }
        Arrays.sort(order);
        for (long one : order) {
            int which = (int) (one & (1 << NUMBER_BITS) - 1);
            view.moveTo(filled.get(chunkOf[which]), placeOf[which]);
            sink.accept(view);
        }
    }
}
