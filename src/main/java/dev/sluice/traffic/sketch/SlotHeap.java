package dev.sluice.traffic.sketch;

/**
 * Slots in a heap by their {@link Tallies#estimate}, the one with the fewest calls first. Estimates rise while they are in
 * it, so it goes by what they were when it last looked, and looks again at whichever seems to be first. For one thread at
 * a time.
 */
final class SlotHeap {

    private final Tallies tallies;
    private final int[] heap;
    /** The estimate of each, as it was; beside it, so that comparing two need not look at either. */
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

    /** How many calls {@link #first} had. */
    long fewest() {
        long estimate = tallies.estimate(heap[0]);
        while (estimate != ranks[0]) {
            sink(heap[0], estimate);
            estimate = tallies.estimate(heap[0]);
        }
        return estimate;
    }

    /** Who was first when {@link #fewest} was asked last. */
    int first() {
        return heap[0];
    }

    /** Puts this one in where the first is. */
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
