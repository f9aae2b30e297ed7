package dev.sluice.cli.rehearse.log;

import dev.sluice.cli.rehearse.call.CallBatch;
import dev.sluice.cli.rehearse.call.LoggedCall;
import java.util.ArrayDeque;
import java.util.Deque;

/** Reuses pieces of memory for calls. Not thread-safe. */
final class ChunkPool {

    private static final int SIZE = 1 << 13;

    private final Deque<CallBatch> free = new ArrayDeque<>();
    private long bytesInUse;

    /** Takes a piece, and adds this call to it. */
    CallBatch takeFor(LoggedCall first) {
        CallBatch known = first.length() > SIZE ? null : free.pollLast();
        CallBatch taken = known == null ? new CallBatch(Math.max(SIZE, first.length())) : known;
        bytesInUse += taken.capacity();
        taken.add(first);
        return taken;
    }

    /** Takes back a piece that is no longer used. */
    void giveBack(CallBatch chunk) {
        bytesInUse -= chunk.capacity();
        if (chunk.capacity() == SIZE) {
            chunk.clear();
            free.addLast(chunk);
        }
    }

    long bytesInUse() {
        return bytesInUse;
    }
}
