package dev.sluice.limits;

import dev.sluice.Mode;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What callers of one plan may do, as far as it is not what the endpoints say. A plan changes how much is allowed, never
 * who is counted: a caller whose plan changes keeps its counts.
 *
 * @param name in the file, for example {@code pro}
 * @param exempt whether they are never refused
 * @param multiply the factor for their limits
 * @param mode what happens to their calls over a limit; {@code null} for the endpoint's mode
 * @param endpoints by the endpoint's id, the tiers that replace the endpoint's
 */
public record Plan(
        String name,
        boolean exempt,
        BigDecimal multiply,
        @Nullable Mode mode,
        Map<String, List<Tier>> endpoints) {

    public Plan {
        endpoints = Map.copyOf(endpoints);
    }

    /** Whether it changes anything at the endpoint with this id. */
    public boolean concerns(String endpoint) {
        return exempt || mode != null || multiply.compareTo(BigDecimal.ONE) != 0 || endpoints.containsKey(endpoint);
    }
}
