package dev.sluice.internal.instance.status;

import dev.sluice.Subject;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.match.caller.SecretDigest;
import dev.sluice.traffic.CallerNames;
import java.util.List;
import java.util.stream.Collectors;

/** Formats callers for the log. */
final class CallerText {

    private static final int LONGEST_NAME = 16;
    private static final String ADDRESS = "ip";

    private CallerText() {}

    /** For example {@code tenant acme, user eve}; or the caller's display name if it has one. */
    static String of(List<Subject> caller, CallerNames names) {
        String name = names.of(caller);
        if (!name.isEmpty()) {
            return Quote.plain(Quote.name(name));
        }
        return caller.isEmpty()
                ? "all callers together"
                : caller.stream().map(CallerText::of).collect(Collectors.joining(", "));
    }

    /**
     * Truncates a long value, since it may be a secret. Keeps the hash of a secret whole, since operators set limits
     * with it. Marks addresses, so that a value that a caller chose cannot pass for one.
     */
    private static String of(Subject subject) {
        String value = subject.value();
        boolean isLong = value.codePointCount(0, value.length()) > LONGEST_NAME && !SecretDigest.isHash(value);
        String cut = isLong ? value.substring(0, value.offsetByCodePoints(0, LONGEST_NAME)) : value;
        String byAddress = subject.source().equals(ADDRESS) && !subject.name().equals(ADDRESS) ? " (by ip)" : "";
        return subject.name() + " " + Quote.plain(Quote.name(cut)) + (isLong ? "…" : "") + byAddress;
    }
}
