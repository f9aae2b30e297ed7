package dev.sluice.internal.store.redis.connection;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The threads on which Lettuce reads from its connections. Thread-safe. */
final class ReadingThreads implements NettyCustomizer {

    private volatile @Nullable EventLoopGroup group;

    /** Lettuce calls this before it connects. */
    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
        group = bootstrap.config().group();
    }

    /**
     * Runs a task once each of these threads has read the data that has arrived by now. If there are no threads, runs
     * it at once.
     */
    void behindAnswers(Runnable task) {
        EventLoopGroup known = group;
        List<EventExecutor> threads = new ArrayList<>();
        if (known != null && !known.isShuttingDown()) {
            known.forEach(threads::add);
        }
        if (threads.isEmpty()) {
            task.run();
            return;
        }
        AtomicInteger left = new AtomicInteger(threads.size());
        for (EventExecutor thread : threads) {
            try {
                // A thread reads between two runs of its tasks. A scheduled task runs in the next run, not in this one.
                var unused = thread.schedule(() -> runLast(left, task), 1, TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException e) {
                runLast(left, task); // the thread ends
            }
        }
    }

    private static void runLast(AtomicInteger left, Runnable task) {
        if (left.decrementAndGet() == 0) {
            task.run();
        }
    }
}
