package dev.sluice.internal.config.tier;

import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.tier.Tier;

/** A tier and its position in the file. */
public record PositionedTier(Tier tier, FilePosition position) {}
