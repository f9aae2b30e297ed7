package dev.sluice.cli;

import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.Subject;
import dev.sluice.Tier;
import java.util.Locale;
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

    /** For example {@code tier 10s: fixed-window, threshold 1000}. */
    static String tier(Tier tier) {
        return "tier " + tier.name() + ": " + tier.limit().algorithm() + ", threshold "
                + tier.limit().threshold();
    }
}
