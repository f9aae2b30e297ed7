package dev.sluice.store.contract;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.statementOf;
import static dev.sluice.store.Exchanges.unique;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.CounterStore;
import dev.sluice.store.Exchanges;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A part of what every store promises, with names of instances and counters that no other test uses. */
abstract class ContractPart {

    static final Duration MUCH_LATER = Duration.ofSeconds(6);
    static final Duration BRIEF = Duration.ofMillis(300);
    static final Duration AFTER_BRIEF = Duration.ofMillis(400);

    final String endpoint = unique();
    final String instance = unique();
    final String other = unique();
    final String third = unique();
    CounterStore store;

    private final StoreUnderTest tested;
    /** Of all windows of a test, so that none begins a minute after another. */
    private long start;

    ContractPart(StoreUnderTest tested) {
        this.tested = tested;
    }

    @BeforeEach
    void openStore() {
        store = open();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    final CounterStore open() {
        return tested.open();
    }

    final int manyStatements() {
        return tested.manyStatements();
    }

    final long now() {
        return tested.now();
    }

    final void letPass(Duration time) {
        tested.letPass(time);
    }

    final boolean countsInstances() {
        return tested.countsInstances();
    }

    final boolean tellsNews() {
        return tested.tellsNews();
    }

    final CounterKey key(String tenant) {
        start = start == 0 ? now() / 60_000 * 60_000 : start;
        return Exchanges.key(endpoint, tenant, start, start + 120_000);
    }

    /**
     * A store may fail for a moment, as a cluster does that is reached for the first time: a batch sent again counts
     * once.
     */
    static Batch.Reply exchange(CounterStore store, Batch batch) {
        return Exchanges.exchangeInTheEnd(store, batch);
    }

    static Grant grant(CounterStore store, Batch batch) {
        return exchange(store, batch).grants().get(0);
    }

    final Grant ask(String instance, long sequence, Exchanges.Asked statement) {
        return grant(store, batch(instance, sequence, statement));
    }

    /** The total, as an instance without use receives it. */
    final long total(CounterKey key) {
        return ask(unique(), 1, statementOf(key, 1_000_000)).total();
    }
}
