package dev.sluice.store.mongo.link;

import java.util.concurrent.atomic.LongAdder;

/** Counts the operations on MongoDB. Safe for many threads. */
public final class OperationCounts {

    private final LongAdder exchanges = new LongAdder();
    private final LongAdder roundTrips = new LongAdder();
    private final LongAdder documents = new LongAdder();
    private final LongAdder conflicts = new LongAdder();
    private final LongAdder newsQuestions = new LongAdder();

    /**
     * The sums at one moment.
     *
     * @param exchanges applied exchanges
     * @param roundTrips round trips of these exchanges
     * @param documentsWritten documents that they wrote
     * @param conflicts documents that another instance wrote between reading and writing
     * @param newsQuestions requests for news of other instances
     */
    public record Sums(long exchanges, long roundTrips, long documentsWritten, long conflicts, long newsQuestions) {}

    public void exchange() {
        exchanges.increment();
    }

    public void roundTrips(int number) {
        roundTrips.add(number);
    }

    public void documents(int number) {
        documents.add(number);
    }

    public void conflicts(int number) {
        conflicts.add(number);
    }

    public void newsQuestion() {
        newsQuestions.increment();
    }

    public Sums sums() {
        return new Sums(exchanges.sum(), roundTrips.sum(), documents.sum(), conflicts.sum(), newsQuestions.sum());
    }
}
