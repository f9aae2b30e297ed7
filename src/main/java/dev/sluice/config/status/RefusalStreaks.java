package dev.sluice.config.status;

import dev.sluice.Subject;
import dev.sluice.config.report.ReportedRefusals.Refused;
import dev.sluice.traffic.CallerTraffic;
import dev.sluice.traffic.CallerTraffic.Refusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Remembers since when callers are refused, of those who were refused most at the last look; the counts themselves are
 * of a minute. For one thread at a time.
 */
final class RefusalStreaks {

    private Map<Whom, Long> since = new HashMap<>();

    private record Whom(String endpoint, List<Subject> subjects) {}

    /** Who was refused, as reports tell it. Who is not among them is forgotten. */
    List<Refused> of(List<CallerTraffic> callers) {
        Map<Whom, Long> now = new HashMap<>();
        List<Refused> refused = new ArrayList<>();
        for (CallerTraffic caller : callers) {
            Whom whom = new Whom(caller.endpoint(), caller.subjects());
            long first = caller.lastRefusals().stream()
                    .mapToLong(Refusal::atMillis)
                    .min()
                    .orElse(caller.lastMillis());
            long began = Math.min(first, since.getOrDefault(whom, first));
            now.put(whom, began);
            refused.add(new Refused(
                    caller.endpoint(),
                    caller.subjects(),
                    caller.refused(),
                    caller.wouldRefuse(),
                    caller.tier(),
                    began,
                    caller.lastMillis()));
        }
        since = now;
        return refused;
    }
}
