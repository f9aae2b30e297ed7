package dev.sluice.internal.store.mongo.link;

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
 * The driver for one store uri, shared by counters and limits. Closed with its last user. The driver's calls block, so
 * they run on a few threads of this class, never on those of requests; the driver restores connections by itself. Safe
 * for many threads; state is guarded by {@code this}.
 */
final class SharedDriver {

    /** One for exchanges; the others for limits, reports, news, and for calls that a frozen server delays. */
    private static final int THREADS = 6;

    private static final int MOST_WAITING = 1_000;
    private static final long IDLE_SECONDS = 30;
    private static final int UNKNOWN_COMMAND = 59;

    private final MongoAddress address;
    private final ThreadPoolExecutor threads;
    private final ServerClock clock = new ServerClock(System::nanoTime);
    private volatile String hello = "hello";
    private volatile boolean isRouter;
    /** Until then there is more to do: to load the driver, to connect, and to log in. */
    private volatile boolean hasAnswered;

    private @Nullable MongoClient client;
    private int users = 1;

    /** Creates it for the first user. Connects in the background, with the first request. */
    SharedDriver(MongoAddress address) {
        this.address = address;
        AtomicInteger number = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST_WAITING),
                task -> BackgroundThreads.create("sluice-mongo-" + number.incrementAndGet(), task));
        threads.allowCoreThreadTimeOut(true);
    }

    /** Adds a user, who has to leave too. */
    synchronized void join() {
        if (users == 0) {
            throw new IllegalStateException(closed().getMessage());
        }
        users++;
    }

    MongoAddress address() {
        return address;
    }

    /** The server's time now, in milliseconds since 1970. To be called within {@link #use}. */
    long nowMillis() {
        return clock.millis();
    }

    /**
     * Whether it leads to a router, behind which documents may be on several shards. To be asked within {@link #use}.
     */
    boolean isRouter() {
        return isRouter;
    }

    /** Runs work within the time limit of an exchange; fails only with a {@link StoreException}. */
    <T> CompletableFuture<T> use(MongoWork<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Duration limit = hasAnswered ? address.timeout() : address.handshake();
        long deadline = System.nanoTime() + limit.toNanos();
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
                            : StoreException.unavailable(address + " is asked for more than it answers", e));
        }
        return answer;
    }

    /** Runs a task on a thread that waits for no answer now, if there is one: then the others have their turn too. */
    void behindAnswers(Runnable task) {
        try {
            if (threads.getActiveCount() < THREADS) {
                threads.execute(task);
                return;
            }
        } catch (RejectedExecutionException e) {
            // it is closed
        }
        task.run();
    }

    private <T> void run(MongoWork<T> work, long deadline, CompletableFuture<T> done) {
        if (done.isDone()) {
            return; // it timed out before a thread was free
        }
        try {
            MongoDatabase database = client().getDatabase(address.database());
            if (clock.isDue()) {
                askTheTime(database);
            }
            done.complete(work.in(database, deadline));
        } catch (Throwable e) { // any failure is passed on to the waiting thread
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
                    address + " is a member that is not the primary, and may have old counts; name replicaSet, or "
                            + "several members, so that the driver finds the primary",
                    null);
        }
    }

    /** Servers before 4.4.2 only know its former name. */
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

    /** The failure for a user that has closed it. */
    StoreException closed() {
        return StoreException.unavailable(address + " was closed by this instance", null);
    }

    /** Closes connections and threads, if this was the last user. */
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
