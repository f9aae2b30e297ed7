package dev.sluice.cli.limits;

import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.output.CountText;
import dev.sluice.cli.output.TimeText;
import dev.sluice.internal.store.admin.InstanceReport;
import dev.sluice.internal.store.admin.Instances;
import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.text.SafeText;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Waits until all live instances have applied a change in the store. */
final class PropagationWait {

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final int MOST_NAMED = 5;

    private final StoreConnection store;
    private final @Nullable Duration longest;

    /**
     * Creates a wait that lasts at most for the given time. If the time is {@code null}, the maximum is a little more
     * than twice the longest polling interval of any instance.
     */
    PropagationWait(StoreConnection store, @Nullable Duration longest) {
        this.store = store;
        this.longest = longest;
    }

    /**
     * The number of instances that have applied the change.
     *
     * @param isByAll whether all instances have applied the change; {@code false} if there are no instances
     * @param text a description of the result, for example {@code 3 of 3 instances have applied it}
     */
    record Propagation(boolean isByAll, String text) {}

    /** Waits until all instances have applied the change, but at most for the configured time. */
    Propagation await() throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            // We read the version first. An instance that afterwards reports this version has applied the change.
            String version = store.overrides(OverrideStore::version);
            List<InstanceReport> all = store.instances(Instances::heads);
            List<InstanceReport> behind = all.stream()
                    .filter(instance -> !instance.limitsVersion().equals(version))
                    .toList();
            Duration most = longest == null ? usual(all) : longest;
            if (behind.isEmpty() || System.nanoTime() - start >= most.toNanos()) {
                return outcome(all, behind);
            }
            Thread.sleep(PAUSE.toMillis());
        }
    }

    private static Duration usual(List<InstanceReport> all) {
        long refresh =
                all.stream().mapToLong(InstanceReport::refreshMillis).max().orElse(0);
        long millis = Math.min(LONGEST.toMillis(), 2 * Math.min(refresh, LONGEST.toMillis()) + 2000);
        return Duration.ofMillis(millis);
    }

    private static Propagation outcome(List<InstanceReport> all, List<InstanceReport> behind) {
        if (all.isEmpty()) {
            return new Propagation(false, "no live instance uses this store; instances apply it when they start");
        }
        String follow = (all.size() - behind.size()) + " of " + CountText.of(all.size(), "instance")
                + (all.size() == 1 ? " has applied it" : " have applied it");
        if (behind.isEmpty()) {
            return new Propagation(true, follow);
        }
        String named = behind.stream()
                .limit(MOST_NAMED)
                .map(instance -> SafeText.cut(instance.server(), 60) + " (polls every "
                        + TimeText.span(instance.refreshMillis()) + ")")
                .collect(Collectors.joining(", "));
        String more = behind.size() > MOST_NAMED ? " and " + (behind.size() - MOST_NAMED) + " more" : "";
        return new Propagation(false, follow + "; not yet: " + named + more);
    }
}
