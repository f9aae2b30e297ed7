package dev.sluice.store.mongo.link;

import java.util.concurrent.atomic.LongAdder;

/** What counting in MongoDB has cost so far. Safe for many threads. */
public final class Figures {

    private final LongAdder exchanges = new LongAdder();
    private final LongAdder roundTrips = new LongAdder();
    private final LongAdder documents = new LongAdder();
    private final LongAdder conflicts = new LongAdder();
    private final LongAdder newsQuestions = new LongAdder();

    /**
     * A moment's sums.
     *
     * @param exchanges that were applied
     * @param roundTrips of these exchanges
     * @param documentsWritten by them
     * @param conflicts documents that somebody else had written between reading and writing
     * @param newsQuestions how often news of other instances were asked for
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
