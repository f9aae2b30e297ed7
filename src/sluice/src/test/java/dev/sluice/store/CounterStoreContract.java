package dev.sluice.store;

import dev.sluice.Eventually;
import dev.sluice.exchange.CounterStore;
import dev.sluice.store.contract.CountingContract;
import dev.sluice.store.contract.ExactlyOnceContract;
import dev.sluice.store.contract.FlowingContract;
import dev.sluice.store.contract.FramesContract;
import dev.sluice.store.contract.GiftContract;
import dev.sluice.store.contract.GrantingContract;
import dev.sluice.store.contract.HoldingContract;
import dev.sluice.store.contract.LapsedLeaseContract;
import dev.sluice.store.contract.LeasingContract;
import dev.sluice.store.contract.LoggingContract;
import dev.sluice.store.contract.NewsContract;
import dev.sluice.store.contract.PresenceContract;
import dev.sluice.store.contract.StoreUnderTest;
import dev.sluice.store.contract.TimeContract;
import dev.sluice.store.contract.TogetherContract;
import dev.sluice.store.contract.UsingAtOnceContract;
import java.time.Duration;
import org.junit.jupiter.api.Nested;

/**
 * What every {@link CounterStore} promises. For a store of your own, extend this class and open the store in it. Each
 * test uses counters of its own, so all can share one server.
 */
public abstract class CounterStoreContract {

    private final StoreUnderTest tested = new StoreUnderTest() {
        @Override
        public CounterStore open() {
            return CounterStoreContract.this.open();
        }

        @Override
        public int manyStatements() {
            return CounterStoreContract.this.manyStatements();
        }

        @Override
        public long now() {
            return CounterStoreContract.this.now();
        }

        @Override
        public void letPass(Duration time) {
            CounterStoreContract.this.letPass(time);
        }

        @Override
        public boolean countsInstances() {
            return CounterStoreContract.this.countsInstances();
        }

        @Override
        public boolean tellsNews() {
            return CounterStoreContract.this.tellsNews();
        }
    };

    /** Another handle on the same counters, as another instance would open it. The test closes it. */
    protected abstract CounterStore open();

    /** The store's clock, within a second. */
    protected long now() {
        return System.currentTimeMillis();
    }

    /** Lets time pass by the store's clock: waits, or sets it, where a test can. */
    protected void letPass(Duration time) {
        Eventually.pause(time.toMillis());
    }

    /** How many statements a large batch has: thousands, unless the store of a test takes too long for these. */
    protected int manyStatements() {
        return 5_000;
    }

    /** Whether the store tells instances how many live. With one that does not, they go by {@code store.instances}. */
    protected boolean countsInstances() {
        return true;
    }

    /** Whether the store tells news. One that does not is asked again after a while instead. */
    protected boolean tellsNews() {
        return true;
    }

    @Nested
    class Counting extends CountingContract {

        Counting() {
            super(tested);
        }
    }

    @Nested
    class Holding extends HoldingContract {

        Holding() {
            super(tested);
        }
    }

    @Nested
    class UsingAtOnce extends UsingAtOnceContract {

        UsingAtOnce() {
            super(tested);
        }
    }

    @Nested
    class Granting extends GrantingContract {

        Granting() {
            super(tested);
        }
    }

    @Nested
    class Frames extends FramesContract {

        Frames() {
            super(tested);
        }
    }

    @Nested
    class Flowing extends FlowingContract {

        Flowing() {
            super(tested);
        }
    }

    @Nested
    class Logging extends LoggingContract {

        Logging() {
            super(tested);
        }
    }

    @Nested
    class Leasing extends LeasingContract {

        Leasing() {
            super(tested);
        }
    }

    @Nested
    class LapsedLease extends LapsedLeaseContract {

        LapsedLease() {
            super(tested);
        }
    }

    @Nested
    class GivingCalls extends GiftContract {

        GivingCalls() {
            super(tested);
        }
    }

    @Nested
    class ExactlyOnce extends ExactlyOnceContract {

        ExactlyOnce() {
            super(tested);
        }
    }

    @Nested
    class News extends NewsContract {

        News() {
            super(tested);
        }
    }

    @Nested
    class Together extends TogetherContract {

        Together() {
            super(tested);
        }
    }

    @Nested
    class Presence extends PresenceContract {

        Presence() {
            super(tested);
        }
    }

    @Nested
    class Time extends TimeContract {

        Time() {
            super(tested);
        }
    }
}
