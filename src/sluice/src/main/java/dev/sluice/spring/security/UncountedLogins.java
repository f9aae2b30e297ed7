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
 * Logs a warning once if limits count failed logins, but the request behind a login attempt is unknown. Thread-safe.
 */
final class UncountedLogins {

    private static final Logger LOG = LoggerFactory.getLogger(UncountedLogins.class);

    private static final String ON_THREADS = "If a request has passed it to an executor, a CompletableFuture or "
            + "@Async, log in on the request thread, or propagate the context. To propagate it, put "
            + "io.micrometer:context-propagation on the class path, add a ContextPropagatingTaskDecorator bean for "
            + "@Async and other Spring executors, and wrap your own executors in a ContextExecutorService";
    private static final String IN_REACTOR = "If a request has called the ReactiveAuthenticationManager and then "
            + "subscribe, block or toFuture itself, return its Mono as a part of the response instead, so that the "
            + "context of the request reaches it";

    private final Supplier<Stream<Sluice>> limiters;
    private final String remedy;
    private final AtomicBoolean hasWarned = new AtomicBoolean();

    private UncountedLogins(Supplier<Stream<Sluice>> limiters, String remedy) {
        this.limiters = limiters;
        this.remedy = remedy;
    }

    /** Creates an object for applications in which the thread identifies the request. */
    static UncountedLogins onThreads(Supplier<Stream<Sluice>> limiters) {
        return new UncountedLogins(limiters, ON_THREADS);
    }

    /** Creates an object for applications in which the Reactor context identifies the request. */
    static UncountedLogins inReactor(Supplier<Stream<Sluice>> limiters) {
        return new UncountedLogins(limiters, IN_REACTOR);
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

    /** Records a login attempt whose request is unknown. */
    void tried() {
        if (hasWarned.get()) {
            return;
        }
        List<String> endpoints = endpoints();
        if (!endpoints.isEmpty() && hasWarned.compareAndSet(false, true)) {
            LOG.warn(
                    "The limits {} count failed logins, but they can neither count nor prevent a login attempt on "
                            + "the thread {}, because no request is known there. {} (logged once)",
                    String.join(", ", endpoints),
                    Thread.currentThread().getName(),
                    remedy);
        }
    }
}
