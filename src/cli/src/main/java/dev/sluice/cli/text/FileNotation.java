package dev.sluice.cli.text;

import dev.sluice.Condition;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.Subject;
import dev.sluice.internal.config.keys.FileWords;
import dev.sluice.internal.config.shape.Durations;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.Client;
import dev.sluice.tier.BlockRule;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Tier;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes values of a file in the words of the file. */
public final class FileNotation {

    private FileNotation() {}

    /** For example {@code get-product: GET /product/*}. */
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

    /** For example {@code client tenant: acme, multiply 10}. */
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

    public static String subject(Subject subject) {
        return subject.source().equals(Subject.NONE)
                ? subject.name() + " = none: none of its sources finds a value in the call"
                : subject.name() + " = " + SafeText.of(subject.value()) + ", from " + subject.source();
    }

    /** For example {@code tier 10s: fixed-window, threshold 1000}, with all figures of the tier. */
    public static String tier(Tier tier) {
        return "tier " + tier.name() + ": " + tier.limit().algorithm().word() + ", threshold "
                + tier.limit().threshold() + figures(tier.limit()) + overage(tier.overage()) + block(tier.block());
    }

    /** Tiers in one line. */
    public static String tiers(List<Tier> tiers) {
        return tiers.stream().map(FileNotation::tier).collect(Collectors.joining("; "));
    }

    private static String block(@Nullable BlockRule rule) {
        if (rule == null) {
            return "";
        }
        String grows = rule.upTo().equals(rule.lasts()) ? "" : ", up to " + Durations.shortest(rule.upTo());
        return ", blocks after " + rule.after() + " refusals within " + Durations.shortest(rule.within()) + " for "
                + Durations.shortest(rule.lasts()) + grows;
    }

    private static String figures(Limit limit) {
        return limit.byAlgorithm(new Limit.Cases<>(
                (Limit.FixedWindow window) -> "",
                (Limit.SlidingWindow window) -> ", subWindows " + window.subWindows(),
                (Limit.SlidingLog log) -> "",
                (Limit.TokenBucket bucket) -> ", burst " + bucket.burst(),
                (Limit.LeakyBucket bucket) -> bucket.queue() == 0
                        ? ""
                        : ", queue " + bucket.queue() + ", maxWait "
                                + bucket.maxWait().toMillis() + "ms",
                (Limit.Concurrency places) -> ", scope " + places.scope().name().toLowerCase(Locale.ROOT)));
    }

    private static String overage(Overage overage) {
        if (overage instanceof Overage.Soft soft) {
            return ", tolerance " + FileWords.percent(soft.tolerance());
        }
        return overage instanceof Overage.Elastic elastic
                ? ", up to " + FileWords.percent(elastic.upTo()) + " while load is below "
                        + FileWords.percent(elastic.whileLoadBelow())
                : "";
    }
}
