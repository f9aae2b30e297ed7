package dev.sluice.internal.servlet.call;

import dev.sluice.internal.http.request.PathTraversal;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Determines the path of a request within the application. This is the path as sent, without the context path.
 *
 * <p>Removing the prefix is correct only if the path begins with the context path in its plain spelling, and no
 * subsequent {@code ..} leads out of the application. However, a caller can send {@code //app/login},
 * {@code /%61pp/login}, {@code /app;v=1/login} or {@code /app/../app/login}. The container still finds the application,
 * so a limit on {@code /login} must apply. In these cases, this class uses the container's interpretation, which is the
 * servlet path plus the path info. It does not do so for every call, because a framework can interpret the path as sent
 * in its own way, and limits must also apply to that interpretation. For the same reason, it does not re-encode percent
 * signs that the container left in the path.
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
     * Returns a second path that the application might see. It is the welcome file that the container serves for a
     * directory, or the remainder if a framework simply removes a prefix that is as long as the context path. Returns
     * {@code null} if both paths are the same, which is nearly always the case.
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
            return null; // if the container throws here, frameworks cannot determine the context either
        }
    }

    /**
     * Whether a path denotes a directory, regardless of its spelling. Tomcat serves the welcome file of a directory
     * without a forward, so it does not call the filter again for this file.
     */
    private static boolean isDirectory(String path) {
        int name = path.lastIndexOf('/') + 1;
        return name == path.length() || path.charAt(name) == ';';
    }

    /**
     * Returns the path for Tomcat. If the path contains a backslash, Tomcat can throw an exception when this class
     * reads the context path, but it still provides the path that it serves.
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
     * Returns the path for Jetty. If Jetty is configured to serve ambiguous paths but not to decode them, it throws an
     * exception when this class reads such a path. Jetty splits paths only at slashes, and {@code ..} can remove an
     * empty segment.
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
