package dev.sluice.internal.match.caller;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hops in a forwarding header, from last to first. The nearest proxy has written the end of the header, but anybody
 * could have written its beginning. The header is parsed from right to left, so that nothing at the beginning, such as
 * an open quote, can change how the later parts are parsed. Not thread-safe.
 */
final class ForwardedHops {

    private final List<String> lines;
    private final boolean standard;
    private int line;
    private int end;
    /** The next element; {@code null} if it has not been read yet, or if there is none. */
    private @Nullable String ahead;

    private ForwardedHops(List<String> lines, boolean standard) {
        this.lines = lines;
        this.standard = standard;
        this.line = lines.size();
    }

    /** Parses {@code X-Forwarded-For}, which contains addresses separated by commas. */
    static ForwardedHops ofPlainList(List<String> lines) {
        return new ForwardedHops(lines, false);
    }

    /** Parses the {@code Forwarded} header of RFC 7239. */
    static ForwardedHops ofStandard(List<String> lines) {
        return new ForwardedHops(lines, true);
    }

    /** Whether the header is missing from the call. */
    boolean isNone() {
        return lines.isEmpty();
    }

    /** Whether the header contains no further elements. */
    boolean isOver() {
        if (ahead == null) {
            ahead = element();
        }
        return ahead == null;
    }

    /** Returns the next address; {@code null} if there is no further element, or if the element is not an address. */
    @Nullable IpAddress next() {
        String element = isOver() ? null : ahead;
        ahead = null;
        if (element == null) {
            return null;
        }
        String node = standard ? ForwardedElement.node(element) : element;
        return node == null ? null : AddressParser.parseNode(node);
    }

    /** Returns the next nonblank element. */
    private @Nullable String element() {
        while (true) {
            while (end <= 0) {
                if (line == 0) {
                    return null;
                }
                line--;
                end = lines.get(line).length() + 1; // as if a comma followed the line
            }
            String text = lines.get(line);
            int comma = commaBefore(text, end - 1);
            String element = text.substring(comma + 1, end - 1).strip();
            end = comma + 1;
            if (!element.isEmpty()) {
                return element;
            }
        }
    }

    /**
     * Returns the index of the last comma before this index; -1 if there is none. If the header allows quotes, ignores
     * commas in quotes.
     */
    private int commaBefore(String text, int index) {
        boolean quoted = false;
        for (int i = index - 1; i >= 0; i--) {
            char c = text.charAt(i);
            if (c == '"' && standard) {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                return i;
            }
        }
        return -1;
    }
}
