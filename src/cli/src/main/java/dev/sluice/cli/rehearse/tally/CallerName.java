package dev.sluice.cli.rehearse.tally;

import dev.sluice.Subject;
import java.util.List;
import java.util.stream.Collectors;

/** The name of a caller for people. */
public final class CallerName {

    private CallerName() {}

    /** For example {@code tenant=acme}; unescaped, so not yet safe for a terminal. */
    public static String of(List<Subject> who) {
        return who.isEmpty()
                ? "all callers together"
                : who.stream()
                        .map(subject -> subject.name() + "="
                                + (subject.source().equals(Subject.NONE) ? "(none)" : subject.value()))
                        .collect(Collectors.joining(" "));
    }
}
