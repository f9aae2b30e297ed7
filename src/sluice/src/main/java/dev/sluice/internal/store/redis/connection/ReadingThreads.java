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

/** The threads that read from Lettuce's connections. Thread-safe. */
final class ReadingThreads implements NettyCustomizer {

    private volatile @Nullable EventLoopGroup group;

    /** Called by Lettuce before it connects. */
    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
        group = bootstrap.config().group();
    }

    /**
     * Runs a task after each of these threads has read all data that had already arrived. If there are no threads, runs
     * the task immediately.
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
                // A thread reads data between two runs of its tasks, and a scheduled task belongs to the next run.
                var unused = thread.schedule(() -> runLast(left, task), 1, TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException e) {
                runLast(left, task); // the thread is shutting down
            }
        }
    }

    private static void runLast(AtomicInteger left, Runnable task) {
        if (left.decrementAndGet() == 0) {
            task.run();
        }
    }
}
