package dev.sluice.cli.limits.check;

import dev.sluice.Subject;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.config.report.ReportedRefusals;
import dev.sluice.config.shape.Nearest;
import dev.sluice.limits.ClientOverride;
import dev.sluice.match.caller.CountedValue;
import dev.sluice.match.caller.SecretDigest;
import dev.sluice.store.operated.InstanceReport;
import dev.sluice.text.SafeText;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Looks for a client among the counters in the store, since its name may be misspelt. */
public final class SeenCallers {

    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final int MOST = 100_000;

    private SeenCallers() {}

    /**
     * A note for the operator who sets a limit; empty if the client has called, or if there are too many to look at.
     */
    public static Optional<String> note(StoreConnection store, List<InstanceReport> instances, ClientOverride limit) {
        long start = System.nanoTime();
        Set<String> seen = new HashSet<>();
        instances.forEach(instance -> new ReportedRefusals(instance.refusals())
                .read()
                .forEach(refused -> add(seen, refused.subjects(), limit)));
        String client = CountedValue.ofNamed(limit.value());
        boolean isComplete = store.scan(
                () -> !seen.contains(client) && seen.size() <= MOST && System.nanoTime() - start <= LONGEST.toNanos(),
                keys -> keys.forEach(key -> add(seen, key.subjects(), limit)));
        return !isComplete || seen.isEmpty() || seen.contains(client)
                ? Optional.empty()
                : Optional.of(text(limit, seen));
    }

    private static void add(Set<String> seen, List<Subject> subjects, ClientOverride limit) {
        subjects.stream()
                .filter(subject -> subject.name().equals(limit.subject()))
                .map(Subject::value)
                .forEach(seen::add);
    }

    private static String text(ClientOverride limit, Set<String> seen) {
        String near = SecretDigest.isHash(limit.value()) ? null : Nearest.to(limit.value(), seen);
        return "no " + limit.subject() + " " + SafeText.cut(limit.value(), 80)
                + " has a counter in the store: nobody of that name has called lately"
                + (near == null ? "" : "; did you mean " + SafeText.cut(near, 80) + "?");
    }
}
