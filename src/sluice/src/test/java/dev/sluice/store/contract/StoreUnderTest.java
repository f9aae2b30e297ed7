package dev.sluice.store.contract;

import dev.sluice.Eventually;
import dev.sluice.exchange.CounterStore;
import java.time.Duration;

/** What the parts of the contract need of the store that they test. */
public interface StoreUnderTest {

    /** Another handle on the same counters, as another instance would open it. The test closes it. */
    CounterStore open();

    /** The store's clock, within a second. */
    default long now() {
        return System.currentTimeMillis();
    }

    /** Lets time pass by the store's clock: waits, or sets it, where a test can. */
    default void letPass(Duration time) {
        Eventually.pause(time.toMillis());
    }

    /** How many statements a large batch has. */
    int manyStatements();

    /** Whether the store tells instances how many live. */
    default boolean countsInstances() {
        return true;
    }

    /** Whether the store tells news. One that does not is asked again after a while instead. */
    default boolean tellsNews() {
        return true;
    }
}
