package dev.sluice.internal.instance.status;

import dev.sluice.Subject;
import dev.sluice.internal.instance.report.ReportedRefusals.RefusedCaller;
import dev.sluice.traffic.CallerTraffic;
import dev.sluice.traffic.CallerTraffic.Refusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Remembers when the refusals of the callers in the last report began. The refusal counts do not show this, because
 * they cover only one minute. Not thread-safe.
 */
final class RefusalStreaks {

    private Map<Caller, Long> since = new HashMap<>();

    private record Caller(String endpoint, List<Subject> subjects) {}

    /** Returns the callers for the next report, and forgets all other callers. */
    List<RefusedCaller> of(List<CallerTraffic> callers) {
        Map<Caller, Long> now = new HashMap<>();
        List<RefusedCaller> refused = new ArrayList<>();
        for (CallerTraffic traffic : callers) {
            Caller caller = new Caller(traffic.endpoint(), traffic.subjects());
            long first = traffic.lastRefusals().stream()
                    .mapToLong(Refusal::atMillis)
                    .min()
                    .orElse(traffic.latest().atMillis());
            long began = Math.min(first, since.getOrDefault(caller, first));
            now.put(caller, began);
            refused.add(new RefusedCaller(
                    traffic.endpoint(),
                    traffic.subjects(),
                    traffic.calls().refused(),
                    traffic.calls().wouldRefuse(),
                    traffic.latest().tier().name(),
                    began,
                    traffic.latest().atMillis(),
                    traffic.name()));
        }
        since = now;
        return refused;
    }
}
