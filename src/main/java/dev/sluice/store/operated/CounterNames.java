package dev.sluice.store.operated;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the keys of counters in a store. */
public final class CounterNames {

    private static final int LONGEST = 8192;
    private static final String PART = "([^:+=!]*)";
    private static final Pattern KEY = Pattern.compile("sluice:\\{\\d{1,2}}:([^!]*):(\\d{1,15}):(\\d{1,15})");
    private static final Pattern IDENTITY = Pattern.compile("([^:!]*):" + PART + ":" + PART + ":" + PART);
    private static final Pattern SUBJECT = Pattern.compile(PART + "=" + PART + "=" + PART);

    private CounterNames() {}

    /** The counter with this key; empty if no counter can have it. */
    public static Optional<CounterKey> parse(String text) {
        Matcher key = KEY.matcher(text);
        return text.length() > LONGEST || !key.matches()
                ? Optional.empty()
                : of(key.group(1), Long.parseLong(key.group(2)), Long.parseLong(key.group(3)))
                        .filter(counter -> counter.text().equals(text));
    }

    /** The counter with this identity, in a window; empty if no counter can have it. */
    public static Optional<CounterKey> of(String identity, long start, long end) {
        Matcher name = IDENTITY.matcher(identity);
        if (identity.length() > LONGEST || !name.matches()) {
            return Optional.empty();
        }
        try {
            CounterKey counter = new CounterKey(
                    plain(name.group(2)),
                    plain(name.group(3)),
                    plain(name.group(4)),
                    subjects(name.group(1)),
                    start,
                    end);
            return counter.identity().equals(identity) ? Optional.of(counter) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static List<Subject> subjects(String text) {
        List<Subject> subjects = new ArrayList<>();
        for (String one : text.isEmpty() ? new String[0] : text.split("\\+", -1)) {
            Matcher subject = SUBJECT.matcher(one);
            if (!subject.matches()) {
                throw new IllegalArgumentException("no subject");
            }
            subjects.add(new Subject(plain(subject.group(1)), plain(subject.group(2)), plain(subject.group(3))));
        }
        return subjects;
    }

    /** Reverses the escaping of {@link CounterKey#text()}. */
    private static String plain(String part) {
        if (part.indexOf('%') < 0) {
            return part;
        }
        StringBuilder text = new StringBuilder();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int at = 0; at < part.length(); ) {
            char c = part.charAt(at);
            boolean isHalf = c == '%' && part.startsWith("u", at + 1);
            if (c == '%' && !isHalf) {
                bytes.write(hex(part, at + 1, at + 3));
                at += 3;
                continue;
            }
            text.append(bytes.toString(StandardCharsets.UTF_8));
            bytes.reset();
            text.append(isHalf ? (char) hex(part, at + 2, at + 6) : c);
            at += isHalf ? 6 : 1;
        }
        return text.append(bytes.toString(StandardCharsets.UTF_8)).toString();
    }

    private static int hex(String part, int from, int to) {
        if (to > part.length()) {
            throw new IllegalArgumentException("an escape is cut off");
        }
        return Integer.parseInt(part, from, to, 16);
    }
}
