package dev.sluice.cli.limits.check;

import dev.sluice.Subject;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.fleet.EffectiveTiers;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.instance.report.ReportedRefusals;
import dev.sluice.internal.match.caller.SecretDigest;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.internal.store.admin.InstanceReport;
import dev.sluice.internal.text.CallerText;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientDirectory;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Plans;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Looks for a client in the files and among the counters in the store. If the client is not found, its name might be
 * misspelt.
 */
public final class SeenCallers {

    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final int MOST = 100_000;

    private SeenCallers() {}

    /** Explains why the client might not exist; empty if a file lists the client, or if the client has made a call. */
    public static Optional<String> doubt(
            StoreConnection store, List<InstanceReport> instances, List<FollowedFile> known, ClientOverride limit) {
        if (limit.isOfPlan() || known.stream().anyMatch(file -> isListed(file.limits(), limit))) {
            return Optional.empty();
        }
        long start = System.nanoTime();
        Set<String> seen = new HashSet<>();
        instances.forEach(instance -> new ReportedRefusals(instance.refusals())
                .read()
                .forEach(refused -> add(seen, refused.subjects(), limit)));
        String client = SubjectKey.ofNamed(limit.value());
        boolean isComplete = store.scan(
                () -> !seen.contains(client) && seen.size() <= MOST && System.nanoTime() - start <= LONGEST.toNanos(),
                keys -> keys.forEach(key -> add(seen, key.subjects(), limit)));
        return seen.contains(client) ? Optional.empty() : Optional.of(text(limit, seen, known, isComplete));
    }

    private static void add(Set<String> seen, List<Subject> subjects, ClientOverride limit) {
        subjects.stream()
                .filter(subject -> subject.name().equals(limit.subject()))
                .map(Subject::value)
                .forEach(seen::add);
    }

    /** Whether a file lists the client of an override, either directly or in its table of clients. */
    static boolean isListed(Limits limits, ClientOverride limit) {
        Subject subject = EffectiveTiers.subjects(limit).get(0);
        Plans.Directory directory = limits.plans().directory();
        return limits.clients().stream().anyMatch(client -> EffectiveTiers.names(limits, client, subject))
                || (directory != null
                        && directory.subject().equals(subject.name())
                        && directory.clients().lists(subject.value()));
    }

    private static String text(ClientOverride limit, Set<String> seen, List<FollowedFile> known, boolean isComplete) {
        String client = SafeText.cut(CallerText.pair(limit.subject(), limit.value()), 80);
        boolean hasUnread = known.stream()
                .map(file -> file.limits().plans().directory())
                .anyMatch(directory -> directory != null && directory.clients() == ClientDirectory.EMPTY);
        known.forEach(file -> file.limits().clients().stream()
                .map(Client::who)
                .forEach(who -> seen.addAll(who.getOrDefault(limit.subject(), List.of()))));
        String near = SecretDigest.isHash(limit.value()) ? null : Nearest.to(limit.value(), seen);
        return client + " is not in clients" + (hasUnread ? ", as far as this command can read them," : "")
                + (isComplete
                        ? ", and has no counter in the store: nobody with that name has made a call recently"
                        : ", and was not found in the store, which has too many counters to check them all in a second")
                + (near == null ? "" : "; did you mean " + SafeText.cut(near, 80) + "?");
    }
}
