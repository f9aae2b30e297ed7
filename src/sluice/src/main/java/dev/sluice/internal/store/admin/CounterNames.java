package dev.sluice.internal.store.admin;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the keys of the counters in a store. */
public final class CounterNames {

    private static final int LONGEST = 8192;
    private static final String PART = "([^:+=!]*)";
    private static final Pattern KEY = Pattern.compile("sluice:\\{\\d{1,2}/\\d{1,2}}:([^!]*):(\\d{1,15}):(\\d{1,15})");
    private static final Pattern IDENTITY = Pattern.compile("([^:!]*):" + PART + ":" + PART + ":" + PART);
    private static final Pattern HALF = Pattern.compile("%u([0-9a-f]{4})");
    private static final Pattern SUBJECT = Pattern.compile(PART + "=" + PART + "=" + PART);

    private CounterNames() {}

    /** Parses the key of a counter. Empty if the text cannot be a key. */
    public static Optional<CounterKey> parse(String text) {
        Matcher key = KEY.matcher(text);
        return text.length() > LONGEST || !key.matches()
                ? Optional.empty()
                : of(key.group(1), Long.parseLong(key.group(2)), Long.parseLong(key.group(3)))
                        .filter(counter -> counter.text().equals(text));
    }

    /**
     * Returns the key of the counter with the given identity and window. Empty if no counter can have the given
     * identity.
     */
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

    /** Reverses the escaping that {@link CounterKey#text()} applies to UTF-8 bytes and to unpaired surrogates. */
    private static String plain(String part) {
        StringBuilder text = new StringBuilder();
        Matcher half = HALF.matcher(part);
        int from = 0;
        while (half.find()) {
            text.append(decoded(part.substring(from, half.start())));
            text.append((char) Integer.parseInt(half.group(1), 16));
            from = half.end();
        }
        return text.append(decoded(part.substring(from))).toString();
    }

    private static String decoded(String bytes) {
        return URLDecoder.decode(bytes, StandardCharsets.UTF_8);
    }
}
