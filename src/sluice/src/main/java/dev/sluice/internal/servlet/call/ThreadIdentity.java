package dev.sluice.internal.servlet.call;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Tells whether a request comes back with its caller if the container dispatches it again. Spring Security stores the
 * caller for the thread. In the next dispatch it knows only callers whom a repository has kept for the request or its
 * session, and an application's own filter may have kept its caller nowhere else. Thread-safe.
 */
@FunctionalInterface
public interface ThreadIdentity {

    /** Asks Spring Security; without it on the class path, no thread has a caller. */
    ThreadIdentity AVAILABLE = found(ThreadIdentity.class.getClassLoader());

    /** Whether the caller whom this thread knows is known in a later dispatch of the request too. */
    boolean returnsWith(HttpServletRequest request);

    private static ThreadIdentity found(ClassLoader loader) {
        try {
            Class.forName("org.springframework.security.core.context.SecurityContextHolder", false, loader);
            return SpringIdentity::returnsWith;
        } catch (ClassNotFoundException | LinkageError e) {
            return request -> true;
        }
    }
}
