package dev.sluice.spring.security;

import dev.sluice.Endpoint;
import dev.sluice.open.Sluice;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns once if limits count failed logins, but the application logs in on a thread that serves no request.
 * Thread-safe.
 */
final class UncountedLogins {

    private static final Logger LOG = LoggerFactory.getLogger(UncountedLogins.class);

    private final Supplier<Stream<Sluice>> limiters;
    private final AtomicBoolean hasWarned = new AtomicBoolean();

    UncountedLogins(Supplier<Stream<Sluice>> limiters) {
        this.limiters = limiters;
    }

    /** The endpoints that count failed logins. */
    List<String> endpoints() {
        return limiters.get()
                .flatMap(one -> one.limits().endpoints().stream())
                .filter(Endpoint::countsFailedLogins)
                .map(Endpoint::id)
                .distinct()
                .toList();
    }

    /** This thread logs in, and serves no request. */
    void tried() {
        if (hasWarned.get()) {
            return;
        }
        List<String> endpoints = endpoints();
        if (!endpoints.isEmpty() && hasWarned.compareAndSet(false, true)) {
            LOG.warn(
                    "The limits {} count failed logins, but they can neither count nor stop a login that was tried on "
                            + "the thread {}, because no request is known there. If a request has handed it to an "
                            + "executor, a CompletableFuture or @Async, log in on the thread of the request, or "
                            + "propagate the context: with io.micrometer:context-propagation on the class path, add a "
                            + "ContextPropagatingTaskDecorator bean for @Async and other executors of Spring, and wrap "
                            + "others by ContextExecutorService (logged once)",
                    String.join(", ", endpoints),
                    Thread.currentThread().getName());
        }
    }
}
