package dev.sluice.internal.store.mongo.connection;

import com.mongodb.client.MongoDatabase;
import dev.sluice.exchange.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Provides access to a MongoDB deployment for one of several users in this process, such as counters, overrides or
 * operators. Closing a link does not close the links of other users. Thread-safe.
 */
public final class MongoLink {

    private final SharedDriver driver;
    private final AtomicBoolean closed = new AtomicBoolean();

    private MongoLink(SharedDriver driver) {
        this.driver = driver;
    }

    /**
     * Opens a link for the first user. The link connects in the background at the first request.
     *
     * @throws IllegalArgumentException if the driver rejects an option
     */
    public static MongoLink open(MongoAddress address) {
        MongoSettings.check(address);
        return new MongoLink(new SharedDriver(address));
    }

    /** Creates a link for an additional user. That user must also close the link. */
    public MongoLink share() {
        driver.join();
        return new MongoLink(driver);
    }

    public MongoAddress address() {
        return driver.address();
    }

    /** The server's current time, in milliseconds since 1970. Call this method only within {@link #use}. */
    public long nowMillis() {
        return driver.nowMillis();
    }

    /**
     * Whether the server is a router, so that documents can reside on several shards. Call this method only within
     * {@link #use}.
     */
    public boolean isRouter() {
        return driver.isRouter();
    }

    /** Runs work within the time limit of an exchange. Fails only with a {@link StoreException}. */
    public <T> CompletableFuture<T> use(Function<MongoDatabase, T> work) {
        return use((database, deadlineNanos) -> work.apply(database));
    }

    /** Runs work that consists of several steps and checks the deadline between them. */
    public <T> CompletableFuture<T> use(MongoWork<T> work) {
        return closed.get() ? CompletableFuture.failedFuture(driver.closed()) : driver.use(work);
    }

    /** Runs a task on one of the threads that wait for replies. */
    public void behindAnswers(Runnable task) {
        driver.behindAnswers(task);
    }

    /** Closes connections and threads if this was the last user. */
    public void close() {
        if (closed.compareAndSet(false, true)) {
            driver.leave();
        }
    }
}
