package dev.sluice.internal.store.mongo.connection;

import com.mongodb.client.MongoDatabase;
import dev.sluice.exchange.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Access to a MongoDB for one of several users in this process, such as counters, overrides or operators. Closing it
 * does not close the access of the others. Thread-safe.
 */
public final class MongoLink {

    private final SharedDriver driver;
    private final AtomicBoolean closed = new AtomicBoolean();

    private MongoLink(SharedDriver driver) {
        this.driver = driver;
    }

    /**
     * Opens access for the first user. It connects in the background, when the first request comes.
     *
     * @throws IllegalArgumentException if the driver rejects an option
     */
    public static MongoLink open(MongoAddress address) {
        MongoSettings.check(address);
        return new MongoLink(new SharedDriver(address));
    }

    /** Creates access for another user, which must close it too. */
    public MongoLink share() {
        driver.join();
        return new MongoLink(driver);
    }

    public MongoAddress address() {
        return driver.address();
    }

    /** The server's time now, in milliseconds since 1970. Call it within {@link #use}. */
    public long nowMillis() {
        return driver.nowMillis();
    }

    /** Whether the server is a router, so that documents may be on several shards. Call it within {@link #use}. */
    public boolean isRouter() {
        return driver.isRouter();
    }

    /** Runs work within the time limit of an exchange; fails only with a {@link StoreException}. */
    public <T> CompletableFuture<T> use(Function<MongoDatabase, T> work) {
        return use((database, deadlineNanos) -> work.apply(database));
    }

    /** Runs work that consists of several steps and checks the deadline between them. */
    public <T> CompletableFuture<T> use(MongoWork<T> work) {
        return closed.get() ? CompletableFuture.failedFuture(driver.closed()) : driver.use(work);
    }

    /** Runs a task on one of the threads that wait for answers. */
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
