package dev.sluice.internal.match.caller;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hops in a forwarding header, from its end to its beginning. The nearest proxy wrote the end; anybody may have
 * written the beginning. It is parsed from the right, so that nothing at the beginning, such as an open quote, changes
 * how later parts are read. Not thread-safe.
 */
final class ForwardedHops {

    private final List<String> lines;
    private final boolean standard;
    private int line;
    private int end;
    /** The next element, once it has been read. */
    private @Nullable String ahead;

    private ForwardedHops(List<String> lines, boolean standard) {
        this.lines = lines;
        this.standard = standard;
        this.line = lines.size();
    }

    /** Parses {@code X-Forwarded-For}: addresses and commas. */
    static ForwardedHops ofPlainList(List<String> lines) {
        return new ForwardedHops(lines, false);
    }

    /** Parses RFC 7239's {@code Forwarded}. */
    static ForwardedHops ofStandard(List<String> lines) {
        return new ForwardedHops(lines, true);
    }

    /** Whether the call does not have the header. */
    boolean isNone() {
        return lines.isEmpty();
    }

    /** Whether there are no more elements. */
    boolean isOver() {
        if (ahead == null) {
            ahead = element();
        }
        return ahead == null;
    }

    /** The next address; {@code null} if there is none, or the element is not an address. */
    @Nullable IpAddress next() {
        String element = isOver() ? null : ahead;
        ahead = null;
        if (element == null) {
            return null;
        }
        String node = standard ? ForwardedElement.node(element) : element;
        return node == null ? null : AddressParser.parseNode(node);
    }

    /** The next element that is not blank. */
    private @Nullable String element() {
        while (true) {
            while (end <= 0) {
                if (line == 0) {
                    return null;
                }
                line--;
                end = lines.get(line).length() + 1; // as if a comma followed
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
     * The index of the last comma before this index; -1 if there is none. Commas in quotes are ignored if the header
     * allows quotes.
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
