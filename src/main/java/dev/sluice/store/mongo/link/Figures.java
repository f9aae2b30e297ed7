package dev.sluice.store.mongo.exchange;

import java.util.concurrent.atomic.LongAdder;

/** What exchanges with MongoDB have cost so far. Safe for many threads. */
public final class Figures {

    private final LongAdder roundTrips = new LongAdder();
    private final LongAdder documents = new LongAdder();
    private final LongAdder conflicts = new LongAdder();

    /** A moment's sums. */
    public record Sums(long roundTrips, long documentsWritten, long conflicts) {}

    void roundTrips(int number) {
        roundTrips.add(number);
    }

    void documents(int number) {
        documents.add(number);
    }

    void conflicts(int number) {
        conflicts.add(number);
    }

    public Sums sums() {
        return new Sums(roundTrips.sum(), documents.sum(), conflicts.sum());
    }
}
