package dev.sluice.cli;

import dev.sluice.Limits;
import dev.sluice.config.LimitsFile;

/** How much a file says, in one line. */
final class Summary {

    private Summary() {}

    /** For example {@code 3 definitions, 4 tiers, 1 subject; 1 more is disabled}. */
    static String of(LimitsFile file) {
        Limits limits = file.limits();
        long tiers = limits.endpoints().stream()
                .mapToLong(endpoint -> endpoint.tiers().size())
                .sum();
        String disabled = file.disabled() == 0
                ? ""
                : "; " + file.disabled() + (file.disabled() == 1 ? " more is" : " more are") + " disabled";
        return Counted.of(limits.endpoints().size(), "definition") + ", " + Counted.of(tiers, "tier") + ", "
                + Counted.of(limits.subjects().size(), "subject") + disabled;
    }
}
