package dev.sluice.internal.store.mongo.connection;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.thread.BackgroundThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * The driver for one store URI. Counters, overrides and operators share the driver, and its last user closes it. The
 * driver's calls block, so they run on a small number of threads of this class, and never on request threads. The
 * driver reconnects after losing a connection. Thread-safe; {@code this} guards its state.
 */
final class SharedDriver {

    /**
     * The number of threads. Exchanges need one thread. The other threads are for overrides, reports and news, and for
     * calls that are delayed because a server is frozen.
     */
    private static final int THREADS = 6;

    private static final int MOST_PENDING = 1_000;
    private static final long IDLE_SECONDS = 30;
    private static final int UNKNOWN_COMMAND = 59;

    private final MongoAddress address;
    private final ThreadPoolExecutor threads;
    private final ServerClock clock = new ServerClock(System::nanoTime);
    private volatile String hello = "hello";
    private volatile boolean isRouter;
    /**
     * Whether the server has replied. The first reply takes longer, because the JVM has to load classes, and the driver
     * has to connect and authenticate.
     */
    private volatile boolean hasAnswered;

    private @Nullable MongoClient client;
    private int users = 1;

    /** Creates the driver for the first user. The driver connects in the background at the first request. */
    SharedDriver(MongoAddress address) {
        this.address = address;
        AtomicInteger number = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST_PENDING),
                task -> BackgroundThreads.create("sluice-mongo-" + number.incrementAndGet(), task));
        threads.allowCoreThreadTimeOut(true);
    }

    /** Adds a user. The user must call {@link #leave} later. */
    synchronized void join() {
        if (users == 0) {
            throw new IllegalStateException(closed().getMessage());
        }
        users++;
    }

    MongoAddress address() {
        return address;
    }

    /** The server's current time, in milliseconds since 1970. Call this method only within {@link #use}. */
    long nowMillis() {
        return clock.millis();
    }

    /**
     * Whether the server is a router, so that documents can reside on several shards. Call this method only within
     * {@link #use}.
     */
    boolean isRouter() {
        return isRouter;
    }

    /** Runs work within the time limit of an exchange. Fails only with a {@link StoreException}. */
    <T> CompletableFuture<T> use(MongoWork<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Duration limit = hasAnswered ? address.timeout() : address.handshake();
        long deadline = System.nanoTime() + limit.toNanos() * 9 / 10; // early, so that the work can report the failure
        CompletableFuture<T> done = new CompletableFuture<>();
        var unused = done.orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).whenComplete((reply, failure) -> {
            if (failure == null) {
                answer.complete(reply);
            } else {
                clock.discard();
                answer.completeExceptionally(MongoFailure.of(failure, address, limit));
            }
        });
        try {
            threads.execute(() -> run(work, deadline, done));
        } catch (RejectedExecutionException e) {
            done.completeExceptionally(
                    isClosed()
                            ? closed()
                            : StoreException.unavailable(address + " receives more requests than it can handle", e));
        }
        return answer;
    }

    /**
     * Runs a task on an idle thread of the link, if there is one, so that the calling thread remains free to deliver
     * the next reply.
     */
    void behindAnswers(Runnable task) {
        try {
            if (threads.getActiveCount() < THREADS) {
                threads.execute(task);
                return;
            }
        } catch (RejectedExecutionException e) {
            // the driver is closed, so run the task here
        }
        task.run();
    }

    private <T> void run(MongoWork<T> work, long deadline, CompletableFuture<T> done) {
        if (done.isDone()) {
            return; // the request timed out before a thread was free
        }
        try {
            MongoDatabase database = client().getDatabase(address.database());
            if (clock.isDue()) {
                askTheTime(database);
            }
            done.complete(work.in(database, deadline));
        } catch (Throwable e) { // pass any failure to the caller
            done.completeExceptionally(e);
        }
    }

    private void askTheTime(MongoDatabase database) {
        long sent = System.nanoTime();
        Document answer = hello(database);
        clock.measured(answer.getDate("localTime").toInstant().toEpochMilli(), sent);
        hasAnswered = true;
        isRouter = "isdbgrid".equals(answer.get("msg"));
        if (!answer.getBoolean("isWritablePrimary", answer.getBoolean("ismaster", true))) {
            throw StoreException.unavailable(
                    address + " is not the primary, so its counts might be out of date; add replicaSet or several "
                            + "members to the uri, so that the driver finds the primary",
                    null);
        }
    }

    /** Queries the server's role and time. Servers before 4.4.2 only support this command under its old name. */
    private Document hello(MongoDatabase database) {
        try {
            return database.runCommand(new Document(hello, 1));
        } catch (MongoCommandException e) {
            if (e.getErrorCode() != UNKNOWN_COMMAND) {
                throw e;
            }
            hello = "isMaster";
            return database.runCommand(new Document(hello, 1));
        }
    }

    private synchronized MongoClient client() {
        if (users == 0) {
            throw closed();
        }
        MongoClient open = client;
        if (open == null) {
            open = MongoSettings.connect(address);
            client = open;
        }
        return open;
    }

    private synchronized boolean isClosed() {
        return users == 0;
    }

    /** Creates the exception for calls after closing. */
    StoreException closed() {
        return StoreException.unavailable(address + " was closed by this instance", null);
    }

    /** Closes connections and threads if this was the last user. */
    void leave() {
        MongoClient open;
        synchronized (this) {
            users--;
            if (users > 0) {
                return;
            }
            open = client;
            client = null;
        }
        threads.shutdownNow();
        if (open != null) {
            open.close();
        }
    }
}
