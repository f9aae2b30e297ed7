package dev.sluice.internal.instance.status;

import dev.sluice.Subject;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.match.caller.SecretDigest;
import dev.sluice.internal.text.CallerText;
import dev.sluice.traffic.CallerNames;
import java.util.List;

/** Formats callers for the log. The log must not contain callers' secrets. */
public final class LoggedCaller {

    private static final int LONGEST_NAME = 16;

    private LoggedCaller() {}

    /**
     * The caller's display name. If there is no display name, the subjects and their values, for example
     * {@code tenant=acme, user=eve}. The result is escaped for the log.
     */
    public static String of(List<Subject> caller, CallerNames names) {
        String name = names.of(caller);
        return name.isEmpty() ? CallerText.of(caller, LoggedCaller::value) : Quote.plain(CallerText.quoted(name));
    }

    /**
     * Truncates long values, because they could be secrets. Does not truncate the hash of a secret, because operators
     * need the complete hash to set limits.
     */
    private static String value(Subject subject) {
        String value = subject.value();
        boolean isLong = value.codePointCount(0, value.length()) > LONGEST_NAME && !SecretDigest.isHash(value);
        String cut = isLong ? value.substring(0, value.offsetByCodePoints(0, LONGEST_NAME)) : value;
        return Quote.plain(CallerText.quoted(cut)) + (isLong ? "…" : "") + CallerText.byAddress(subject);
    }
}
