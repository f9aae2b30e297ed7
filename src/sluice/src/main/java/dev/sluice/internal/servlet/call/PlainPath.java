package dev.sluice.internal.servlet.call;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Checks whether a request can be dispatched again to its own path. For an unusual path, the second dispatch can reach
 * a different resource. For example, if Jetty accepts all paths, it dispatches {@code //a/b} to {@code /b}. Also, no
 * container recognises the context path in {@code /%73hop}.
 */
public final class PlainPath {

    private PlainPath() {}

    /**
     * Whether the context path and everything after it have their usual spelling. This method checks the path first,
     * because in Tomcat {@code getContextPath()} throws an exception if a backslash is used as a slash.
     */
    public static boolean isOf(HttpServletRequest request) {
        String context = request.getServletContext().getContextPath();
        String sent = request.getRequestURI();
        return sent.startsWith(context + "/")
                && isPlain(sent, context.length())
                && context.equals(request.getContextPath());
    }

    private static boolean isPlain(String path, int from) {
        for (int i = from; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean odd = switch (c) {
                case ';', '\\' -> true;
                case '/' -> path.startsWith("/", i + 1) || path.startsWith(".", i + 1);
                case '%' -> !path.startsWith("20", i + 1) && !isBeyondAscii(path, i + 1);
                default -> false;
            };
            if (odd) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBeyondAscii(String path, int at) {
        return at < path.length() && Character.digit(path.charAt(at), 16) >= 8;
    }
}
