package dev.sluice.internal.servlet.call;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Tells whether Spring Security still knows the caller of a request when the container dispatches it again. Spring
 * Security stores the caller per thread. In the next dispatch it finds only callers that a repository has kept with the
 * request or its session, and an application's own filter may not have used such a repository. Thread-safe.
 */
@FunctionalInterface
public interface ThreadIdentity {

    /** Asks Spring Security. If that is not on the class path, no thread has a caller. */
    ThreadIdentity AVAILABLE = found(ThreadIdentity.class.getClassLoader());

    /** Whether the caller of this thread will be known in a later dispatch of the request too. */
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
