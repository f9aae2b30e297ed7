package dev.sluice.fleet;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Many threads that share a number of calls among them. */
final class Callers {

    private Callers() {}

    /** Makes the calls numbered from 0, each once. */
    static void share(int threads, int calls, IntConsumer call) {
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        try {
            AtomicInteger next = new AtomicInteger();
            List<CompletableFuture<Void>> shares = IntStream.range(0, threads)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> makeOwn(next, calls, call), callers))
                    .toList();
            shares.forEach(CompletableFuture::join);
        } finally {
            callers.shutdownNow();
        }
    }

    private static void makeOwn(AtomicInteger next, int calls, IntConsumer call) {
        for (int i = next.getAndIncrement(); i < calls; i = next.getAndIncrement()) {
            call.accept(i);
        }
    }
}
