package dev.sluice.cli.rehearse.format;

import dev.sluice.cli.rehearse.call.ByteSpan;
import dev.sluice.cli.rehearse.call.CallBuilder;

/** Parses {@code GET /product/1?page=2 HTTP/1.1}. */
final class RequestLine {

    private static final byte[] ROOT = {'/'};
    private static final byte[] PROTOCOL = {'H', 'T', 'T', 'P', '/'};
    private static final byte[] AUTHORITY = {':', '/', '/'};
    private static final int LONGEST_METHOD = 32;

    private RequestLine() {}

    /** Returns whether that is a request, and sets its parts in the call. */
    static boolean read(byte[] line, int from, int to, CallBuilder call) {
        int space = ByteSpan.indexOf(line, (byte) ' ', from, Math.min(to, from + LONGEST_METHOD + 1));
        if (space == to || !isMethod(line, from, space)) {
            return false;
        }
        int last = ByteSpan.lastIndexOf(line, (byte) ' ', space, to);
        int end = last > space && ByteSpan.startsWith(line, last + 1, to, PROTOCOL) ? last : to;
        if (!readTarget(line, space + 1, end, call)) {
            return false;
        }
        call.method.set(line, from, space);
        return true;
    }

    /** The same for a target only: {@code /product/1?page=2} or {@code https://shop/product/1}. */
    static boolean readTarget(byte[] line, int from, int to, CallBuilder call) {
        int start = from;
        if (start < to && line[start] != '/') {
            int scheme = ByteSpan.indexOf(line, (byte) ':', start, Math.min(to, start + 8));
            if (ByteSpan.startsWith(line, scheme, to, AUTHORITY)) {
                start = ByteSpan.indexOf(line, (byte) '/', scheme + 3, to);
                int question = ByteSpan.indexOf(line, (byte) '?', scheme + 3, start);
                start = question < start ? question : start;
            } else if (to - start != 1 || line[start] != '*') {
                return false; // the target of CONNECT, or nothing that a servlet would see
            }
        }
        int question = ByteSpan.indexOf(line, (byte) '?', start, to);
        if (question == start) {
            call.path.set(ROOT, 0, ROOT.length);
        } else {
            call.path.set(line, start, question);
        }
        if (question == to) {
            call.query.clear();
        } else {
            call.query.set(line, question + 1, to);
        }
        return from < to;
    }

    /** Whether that can be a method; TLS on a port for HTTP cannot. */
    static boolean isMethod(byte[] line, int from, int to) {
        if (to - from < 1 || to - from > LONGEST_METHOD) {
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
}
