package dev.sluice.internal.servlet.call;

import dev.sluice.internal.http.request.PathTraversal;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Finds the path of a request within the application: the path as sent, without the context path.
 *
 * <p>Removing the prefix is correct only if the path begins with the context path in its plain spelling, and no
 * {@code ..} behind it leads out again. But a caller may write {@code //app/login}, {@code /%61pp/login},
 * {@code /app;v=1/login} or {@code /app/../app/login}: the container still finds the application, so a limit on
 * {@code /login} must hold. In such cases this class takes the container's reading: servlet path plus path info. It
 * does not do so for every call, because a framework may read the path as sent in its own way, and limits must hold for
 * that reading too. For the same reason it does not re-encode percent signs that the container left in the path.
 */
final class PathInContext {

    private PathInContext() {}

    static String of(HttpServletRequest request) {
        String sent = request.getRequestURI();
        String context;
        try {
            context = request.getContextPath();
        } catch (RuntimeException e) {
            return ofTomcat(request, request.getServletContext().getContextPath());
        }
        if (context == null || context.isEmpty() || context.equals("/")) {
            return sent;
        }
        String remaining = behind(context, sent);
        if (remaining != null && !PathTraversal.mayLeave(remaining)) {
            return remaining;
        }
        try {
            return readByContainer(request);
        } catch (RuntimeException e) {
            return ofJetty(sent, remaining, context);
        }
    }

    /**
     * A second path that the application may see: the welcome file that the container serves for a directory, or the
     * remainder if a framework simply cuts off as many characters as the context path has. {@code null} if it is the
     * same path, as it nearly always is.
     */
    static @Nullable String otherThan(String path, HttpServletRequest request) {
        try {
            String welcome = isDirectory(path) ? readByContainer(request) : "/";
            if (!welcome.endsWith("/")) {
                return welcome;
            }
            String sent = request.getRequestURI();
            String context = request.getContextPath();
            if (context == null
                    || context.isEmpty()
                    || sent.length() <= context.length()
                    || !sent.startsWith(context)) {
                return null;
            }
            boolean isSame = sent.length() - context.length() == path.length() && sent.endsWith(path);
            return isSame ? null : sent.substring(context.length());
        } catch (RuntimeException e) {
            return null; // if the container throws here, frameworks do not know the context either
        }
    }

    /**
     * Whether a path, however it is spelt, ends with a directory. Tomcat serves a directory's welcome file without a
     * forward, so it does not call the filter again for it.
     */
    private static boolean isDirectory(String path) {
        int name = path.lastIndexOf('/') + 1;
        return name == path.length() || path.charAt(name) == ';';
    }

    /**
     * The path for Tomcat, which may throw when asked for the context path after a backslash, but knows the path that
     * it serves.
     */
    private static String ofTomcat(HttpServletRequest request, String context) {
        if (request.getServletPath() != null) {
            return readByContainer(request);
        }
        String sent = request.getRequestURI();
        String remaining = behind(context, sent);
        return remaining != null && !PathTraversal.leavesBySlashes(remaining)
                ? remaining
                : PathTraversal.behind(context, sent);
    }

    /**
     * The path for Jetty. If it is configured to serve ambiguous paths but not to decode them, it throws when asked for
     * such a path. It splits paths at slashes only, and lets {@code ..} remove an empty segment.
     */
    private static String ofJetty(String sent, @Nullable String remaining, String context) {
        return remaining != null && !PathTraversal.leavesCountingEmpty(remaining)
                ? remaining
                : PathTraversal.behindCountingEmpty(context, sent);
    }

    private static @Nullable String behind(String context, String sent) {
        if (sent.equals(context)) {
            return "/";
        }
        boolean plainlyThere = sent.startsWith(context) && sent.charAt(context.length()) == '/';
        return plainlyThere ? sent.substring(context.length()) : null;
    }

    private static String readByContainer(HttpServletRequest request) {
        String info = request.getPathInfo();
        String path = info == null ? request.getServletPath() : request.getServletPath() + info;
        return path.isEmpty() ? "/" : path.replace(";", "%3b");
    }
}
