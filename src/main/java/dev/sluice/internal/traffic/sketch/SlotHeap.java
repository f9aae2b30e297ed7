package dev.sluice.internal.traffic.sketch;

/**
 * A heap of slots by their {@link Tallies#estimate}, fewest calls first. Estimates rise at any time, so the heap is
 * ordered by their last known values, and checks the first one again. Not thread-safe: {@link HeavyCallers} guards it.
 */
final class SlotHeap {

    private final Tallies tallies;
    private final int[] heap;
    /** The last known estimates, kept here so that comparisons touch no other memory. */
    private final long[] ranks;

    private int size;

    SlotHeap(Tallies tallies, int capacity) {
        this.tallies = tallies;
        this.heap = new int[capacity];
        this.ranks = new long[capacity];
    }

    int size() {
        return size;
    }

    void add(int slot) {
        int at = size++;
        long rank = tallies.estimate(slot);
        for (; at > 0 && ranks[(at - 1) / 2] > rank; at = (at - 1) / 2) {
            put(at, heap[(at - 1) / 2], ranks[(at - 1) / 2]);
        }
        put(at, slot, rank);
    }

    /** The number of calls of {@link #first}. */
    long fewest() {
        long estimate = tallies.estimate(heap[0]);
        while (estimate != ranks[0]) {
            sink(heap[0], estimate);
            estimate = tallies.estimate(heap[0]);
        }
        return estimate;
    }

    /** The slot that {@link #fewest} last found. */
    int first() {
        return heap[0];
    }

    /** Replaces the first entry and restores the heap. */
    private void sink(int slot, long rank) {
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child + 1 < size && ranks[child + 1] < ranks[child]) {
                child++;
            }
            if (child >= size || rank <= ranks[child]) {
                put(at, slot, rank);
                return;
            }
            put(at, heap[child], ranks[child]);
            at = child;
        }
    }

    private void put(int at, int slot, long rank) {
        heap[at] = slot;
        ranks[at] = rank;
    }
}
