package dev.sluice.store.mongo.link;

import com.mongodb.client.MongoDatabase;
import dev.sluice.exchange.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * The way to one MongoDB for one of those who use it, be they counters, limits or what operators ask. Who has closed it
 * is answered no more, though others may be. Safe for many threads.
 */
public final class MongoLink {

    private final SharedDriver driver;
    private final AtomicBoolean closed = new AtomicBoolean();

    private MongoLink(SharedDriver driver) {
        this.driver = driver;
    }

    /**
     * Opens it for a first user. Connects in the background, when it is asked for something.
     *
     * @throws IllegalArgumentException if the driver does not understand an option
     */
    public static MongoLink open(MongoAddress address) {
        MongoSettings.check(address);
        return new MongoLink(new SharedDriver(address));
    }

    /** Another for one more user, who closes it too. */
    public MongoLink share() {
        driver.join();
        return new MongoLink(driver);
    }

    public MongoAddress address() {
        return driver.address();
    }

    /** The server's time now, in milliseconds since 1970. To be asked within {@link #use}. */
    public long nowMillis() {
        return driver.nowMillis();
    }

    /** Whether it leads to a router, behind which documents may be on several shards. To be asked within {@link #use}. */
    public boolean isRouter() {
        return driver.isRouter();
    }

    /** Does something in the time that an exchange may take; fails with a {@link StoreException} alone. */
    public <T> CompletableFuture<T> use(Function<MongoDatabase, T> work) {
        return use((database, deadlineNanos) -> work.apply(database));
    }

    /** The same where the work has several steps, and looks at the time between them. */
    public <T> CompletableFuture<T> use(MongoWork<T> work) {
        return closed.get() ? CompletableFuture.failedFuture(driver.closed()) : driver.use(work);
    }

    /** Ends connections and threads, if this was the last user. */
    public void close() {
        if (closed.compareAndSet(false, true)) {
            driver.leave();
        }
    }
}
