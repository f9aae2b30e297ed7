package dev.sluice.cli.rehearse.tally;

import dev.sluice.tier.Tier;

/** What one tier refused. */
public record TierTally(Tier tier, RefusalCount count) {}
