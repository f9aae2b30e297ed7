package dev.sluice.cli;

import dev.sluice.Cost;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.Subject;
import dev.sluice.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeSet;

/** The values of a file in the words that the file has for them. */
final class Words {

    private Words() {}

    /** For example {@code get-product: GET /product/*}. */
    static String definition(Endpoint endpoint) {
        String mode = endpoint.mode() == Mode.ENFORCE ? "" : " (" + mode(endpoint) + ")";
        return endpoint.id() + ": " + methods(endpoint) + " " + endpoint.pathPattern() + mode;
    }

    static String methods(Endpoint endpoint) {
        return endpoint.methods().isEmpty() ? "any method" : String.join(", ", new TreeSet<>(endpoint.methods()));
    }

    /** For example {@code dry-run}. */
    static String mode(Endpoint endpoint) {
        return endpoint.mode().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static String subject(Subject subject) {
        return subject.source().equals(Subject.NONE)
                ? subject.name() + " = none: the call has nothing that its sources look for"
                : subject.name() + " = " + subject.value() + ", from " + subject.source();
    }

    /** What is unusual about the calls that count: none of these lines, or for example {@code counts only answers of 401, 403}. */
    static List<String> counting(Endpoint endpoint) {
        List<String> lines = new ArrayList<>();
        if (!endpoint.countedStatuses().isEmpty()) {
            lines.add("counts only answers of " + statuses(new TreeSet<>(endpoint.countedStatuses())));
        }
        if (endpoint.cost().charged()) {
            lines.add("costs what the application charges");
        } else if (!endpoint.cost().equals(Cost.ONE)) {
            lines.add("costs " + endpoint.cost().name());
        }
        return lines;
    }

    /** For example {@code 401, 500 to 599}. */
    private static String statuses(SortedSet<Integer> statuses) {
        StringJoiner words = new StringJoiner(", ");
        int first = statuses.first();
        int last = first;
        for (int status : statuses) {
            if (status > last + 1) {
                words.add(first == last ? "" + first : first + " to " + last);
                first = status;
            }
            last = status;
        }
        return words.add(first == last ? "" + first : first + " to " + last).toString();
    }

    /** For example {@code tier 10s: fixed-window, threshold 1000}. */
    static String tier(Tier tier) {
        return "tier " + tier.name() + ": " + tier.limit().algorithm() + ", threshold "
                + tier.limit().threshold();
    }
}
