package dev.sluice.cli.output;

import dev.sluice.Condition;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.Subject;
import dev.sluice.internal.config.tier.TierNotation;
import dev.sluice.internal.text.CallerText;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.Client;
import dev.sluice.tier.Tier;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Formats values from a limits file in the file's own notation. */
public final class FileNotation {

    private FileNotation() {}

    /** Formats an endpoint, for example {@code get-product: GET /product/*}. */
    public static String endpoint(Endpoint endpoint) {
        String mode =
                endpoint.mode() == Mode.ENFORCE ? "" : " (" + endpoint.mode().word() + ")";
        return endpoint.id() + ": " + endpoint.where() + mode;
    }

    /** Whether the endpoint has a condition. */
    public static boolean isConditional(Endpoint endpoint) {
        return endpoint.when() != Condition.ALWAYS;
    }

    public static String methods(Endpoint endpoint) {
        return endpoint.methods().isEmpty() ? "any method" : String.join(", ", new TreeSet<>(endpoint.methods()));
    }

    /** Formats a client, for example {@code client tenant: acme, multiply 10}. */
    public static String client(Client client) {
        String multiply = client.multiplies()
                ? ", multiply " + client.multiply().stripTrailingZeros().toPlainString()
                : "";
        Mode mode = client.mode();
        return "client " + client.name() + (client.displayName().isEmpty() ? "" : ", name " + client.displayName())
                + (client.plan().isEmpty() ? "" : ", plan " + client.plan()) + (client.exempt() ? ", exempt" : "")
                + multiply
                + (mode == null ? "" : ", mode " + mode.word());
    }

    /** Formats a subject, for example {@code tenant=acme, from header:X-Org-Id}. */
    public static String subject(Subject subject) {
        return subject.source().equals(Subject.NONE)
                ? CallerText.pair(subject.name(), subject.value()) + ": none of its sources yields a value for the call"
                : SafeText.of(CallerText.pair(subject.name(), subject.value())) + ", from " + subject.source();
    }

    /** Formats a tier with all its figures, for example {@code tier 10s: 1000 in 10s}. */
    public static String tier(Tier tier) {
        return "tier " + tier.name() + ": " + TierNotation.text(tier);
    }

    /** Formats all tiers on one line. */
    public static String tiers(List<Tier> tiers) {
        return tiers.stream().map(FileNotation::tier).collect(Collectors.joining("; "));
    }
}
