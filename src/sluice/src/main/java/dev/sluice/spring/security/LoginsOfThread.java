package dev.sluice.spring.security;

import dev.sluice.internal.http.request.RequestLogins;
import dev.sluice.internal.servlet.inflight.RememberedDecision;
import jakarta.servlet.ServletException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Finds the login attempts of the request on whose behalf a thread is working. Either the thread serves the request, or
 * the application has propagated the request's context to it.
 */
final class LoginsOfThread {

    private static final ThreadLocal<@Nullable RequestLogins> CURRENT = new ThreadLocal<>();
    private static final ThreadLocal<@Nullable Boolean> TRYING = new ThreadLocal<>();

    private LoginsOfThread() {}

    /**
     * The login attempts of the request on whose behalf the current thread is working; {@code null} if there is no such
     * request.
     */
    static @Nullable RequestLogins find() {
        RequestLogins known = CURRENT.get();
        return known == null ? ofContext() : known;
    }

    /**
     * The login attempts in Spring's request attributes. They exist if the application itself registers the limiter's
     * filter, or passes the attributes to a different thread.
     */
    private static @Nullable RequestLogins ofContext() {
        if (!(RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes known)) {
            return null;
        }
        try {
            Object kept = known.getAttribute(RequestLogins.ATTRIBUTE, RequestAttributes.SCOPE_REQUEST);
            return kept instanceof RequestLogins logins ? logins : RememberedDecision.logins(known.getRequest());
        } catch (IllegalStateException e) {
            return null; // the request has ended
        }
    }

    /** The login attempts that were set for the current thread; {@code null} if none were set. */
    static @Nullable RequestLogins current() {
        return CURRENT.get();
    }

    /**
     * Sets the login attempts of the request on whose behalf the current thread is working; {@code null} for no
     * request.
     */
    static void set(@Nullable RequestLogins logins) {
        if (logins == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(logins);
        }
    }

    /**
     * Runs a filter on the thread that serves the request, and sets the given login attempts for that thread in the
     * meantime.
     */
    static void during(RequestLogins logins, Work work) throws IOException, ServletException {
        RequestLogins before = CURRENT.get();
        CURRENT.set(logins);
        try {
            work.run();
        } finally {
            set(before);
        }
    }

    /** The work of a filter. */
    @FunctionalInterface
    interface Work {

        void run() throws IOException, ServletException;
    }

    /** Whether the current thread is in the middle of a login attempt. */
    static boolean isTrying() {
        return TRYING.get() != null;
    }

    static void tries() {
        TRYING.set(true);
    }

    static void triesNoMore() {
        TRYING.remove();
    }
}
