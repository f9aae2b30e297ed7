package dev.sluice.config.follow;

import dev.sluice.config.file.LimitsFile;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.Limits;
import java.util.List;

/** The limits of a file with overrides. */
public final class OverriddenLimits {

    private OverriddenLimits() {}

    /** The limits that a limiter has in force with these overrides; those that the file has no use for are left out. */
    public static Limits of(LimitsFile file, List<ClientOverride> overrides) {
        return file.limits().withOverrides(new UsableOverrides(file, overrides).clients());
    }
}
