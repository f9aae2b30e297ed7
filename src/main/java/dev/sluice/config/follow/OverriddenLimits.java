package dev.sluice.config.follow;

import dev.sluice.config.file.LimitsFile;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.Limits;
import java.util.List;

/** What a file says together with limits of clients that are kept outside it. */
public final class OverriddenLimits {

    private OverriddenLimits() {}

    /** As a limiter has them in force that follows both; those that make no sense in this file are left out. */
    public static Limits of(LimitsFile file, List<ClientOverride> kept) {
        return file.limits().withOverrides(new ClientOverrides(file, kept).clients());
    }
}
