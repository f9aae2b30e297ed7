package dev.sluice.limiter.block;

import dev.sluice.Block;

/** A block, and whether it only reports, since its endpoint is on a dry run: then no other instance learns of it. */
public record KnownBlock(Block block, boolean isDryRun) {}
