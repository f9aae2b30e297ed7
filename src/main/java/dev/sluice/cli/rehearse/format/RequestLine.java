package dev.sluice.cli.rehearse.format;

import org.jspecify.annotations.Nullable;

/** Takes {@code GET /product/1?page=2 HTTP/1.1} apart. Holds one line at a time; for one thread. */
final class RequestLine {

    private final TextPool pool;
    private String method = "";
    private String path = "";
    private @Nullable String query;

    RequestLine(TextPool pool) {
        this.pool = pool;
    }

    /** Whether that is a request; if so, its parts can be asked for. */
    boolean read(byte[] line, int from, int to) {
        int space = indexOf(line, (byte) ' ', from, to);
        if (space == to || !isMethod(line, from, space)) {
            return false;
        }
        int end = to;
        int last = lastSpace(line, space, to);
        if (last > space && startsWith(line, last + 1, to, "HTTP/")) {
            end = last;
        }
        method = pool.text(line, from, space);
        return readTarget(line, space + 1, end);
    }

    /** The same of a target alone: {@code /product/1?page=2} or {@code https://shop/product/1}. */
    boolean readTarget(byte[] line, int from, int to) {
        int start = from;
        if (start < to && line[start] != '/') {
            int scheme = indexOf(line, (byte) ':', start, Math.min(to, start + 8));
            if (startsWith(line, scheme, to, "://")) {
                start = indexOf(line, (byte) '/', scheme + 3, to);
                int question = indexOf(line, (byte) '?', scheme + 3, start);
                start = question < start ? question : start;
            } else if (to - start != 1 || line[start] != '*') {
                return false; // what CONNECT names, or nothing that a servlet would be asked for
            }
        }
        int question = indexOf(line, (byte) '?', start, to);
        path = question == start ? "/" : pool.text(line, start, question);
        query = question == to ? null : TextPool.decoded(line, question + 1, to);
        return start < to || from < to;
    }

    String method() {
        return method;
    }

    String path() {
        return path;
    }

    @Nullable String query() {
        return query;
    }

    /** Whether those are letters as methods have them; TLS spoken to a port of HTTP is not. */
    static boolean isMethod(byte[] line, int from, int to) {
        if (to - from < 1 || to - from > 32) {
            return false;
        }
        for (int i = from; i < to; i++) {
            byte c = line[i];
            boolean isLetter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_';
            if (!isLetter) {
                return false;
            }
        }
        return line[from] != '-';
    }

    private static int indexOf(byte[] line, byte sought, int from, int to) {
        int at = from;
        while (at < to && line[at] != sought) {
            at++;
        }
        return at;
    }

    private static int lastSpace(byte[] line, int from, int to) {
        int at = to - 1;
        while (at > from && line[at] != ' ') {
            at--;
        }
        return at;
    }

    private static boolean startsWith(byte[] line, int from, int to, String text) {
        if (to - from < text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (line[from + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
