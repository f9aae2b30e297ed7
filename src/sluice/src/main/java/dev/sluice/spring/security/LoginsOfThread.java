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
 * Finds the logins of the request that a thread works for: the thread that serves it, or one to which the application
 * has carried its context.
 */
final class LoginsOfThread {

    private static final ThreadLocal<@Nullable RequestLogins> CURRENT = new ThreadLocal<>();
    private static final ThreadLocal<@Nullable Boolean> TRYING = new ThreadLocal<>();

    private LoginsOfThread() {}

    /** The logins of the request that this thread works for; {@code null} if it works for none. */
    static @Nullable RequestLogins find() {
        RequestLogins known = CURRENT.get();
        return known == null ? ofContext() : known;
    }

    /**
     * Applications that register the limiter's filter themselves, or hand Spring's request attributes to another
     * thread, have them there.
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

    /** The logins that were set for this thread; {@code null} if none were. */
    static @Nullable RequestLogins current() {
        return CURRENT.get();
    }

    /** Sets the logins that this thread works for; {@code null} for none. */
    static void set(@Nullable RequestLogins logins) {
        if (logins == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(logins);
        }
    }

    /** Runs a filter on a thread that serves this request. */
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

    /** Whether this thread makes an attempt now. */
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
