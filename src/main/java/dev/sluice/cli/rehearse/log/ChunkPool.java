package dev.sluice.cli.rehearse.log;

import java.util.ArrayDeque;
import java.util.Deque;

/** Pieces of memory of one size, which are used again and again. For one thread. */
final class ChunkPool {

    private static final int SIZE = 1 << 13;

    private final Deque<byte[]> free = new ArrayDeque<>();
    private long bytesInUse;

    /** A piece of at least this many bytes. */
    byte[] take(int least) {
        byte[] known = least > SIZE ? null : free.pollLast();
        byte[] taken = known == null ? new byte[Math.max(SIZE, least)] : known;
        bytesInUse += taken.length;
        return taken;
    }

    /** It is not used any more. */
    void giveBack(byte[] chunk) {
        bytesInUse -= chunk.length;
        if (chunk.length == SIZE) {
            free.addLast(chunk);
        }
    }

    long bytesInUse() {
        return bytesInUse;
    }
}
