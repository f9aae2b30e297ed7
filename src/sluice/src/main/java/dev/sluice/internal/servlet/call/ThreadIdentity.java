package dev.sluice.internal.servlet.call;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Determines whether Spring Security can still identify the caller when the container dispatches a request again.
 * Spring Security stores the caller per thread. In the next dispatch, it finds only callers that a repository has
 * stored with the request or its session. The application's custom filters might not use such a repository.
 * Thread-safe.
 */
@FunctionalInterface
public interface ThreadIdentity {

    /**
     * The instance that queries Spring Security. If Spring Security is not on the class path, no thread has a caller.
     */
    ThreadIdentity AVAILABLE = found(ThreadIdentity.class.getClassLoader());

    /** Whether the caller of this thread will also be known in a later dispatch of the request. */
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
