package dev.sluice.servlet.call;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Tells whether a container that is asked to dispatch to the path of a request comes to the same place again. With an
 * odd path it may not: Jetty, told to take any, goes from {@code //a/b} to {@code /b}, and none finds its context
 * behind {@code /%73hop}.
 */
public final class PlainPath {

    private PlainPath() {}

    /** Whether the context and all behind it stand there in their usual spelling. */
    public static boolean isThatOf(HttpServletRequest request) {
        String context = request.getServletContext().getContextPath();
        String sent = request.getRequestURI();
        return context.equals(request.getContextPath())
                && sent.startsWith(context + "/")
                && isPlain(sent, context.length());
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
