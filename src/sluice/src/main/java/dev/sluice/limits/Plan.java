package dev.sluice.limits;

import dev.sluice.Mode;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limits of all callers on one plan, where they differ from the endpoints' own limits. A plan changes limits, but
 * never counter keys. A caller's counts are therefore unaffected when its plan changes. Immutable and thread-safe.
 *
 * @param name the name of the plan in the file, for example {@code pro}
 * @param exempt whether calls are never refused
 * @param multiply the factor by which limits are multiplied
 * @param mode the mode for calls beyond a limit; {@code null} to use the endpoint's mode
 * @param endpoints the tiers that replace an endpoint's tiers, by endpoint id
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

    /**
     * Whether the plan changes anything at this endpoint.
     *
     * @param endpoint the endpoint id
     */
    public boolean concerns(String endpoint) {
        return exempt || mode != null || multiply.compareTo(BigDecimal.ONE) != 0 || endpoints.containsKey(endpoint);
    }
}
