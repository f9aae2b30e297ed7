/**
 * Which callers make the most calls, and which are refused most often? {@link dev.sluice.traffic.Traffic} listens to a
 * limiter, and records the busiest callers of the last minute in bounded memory. Meters, the log of refusals and the
 * page for operators use these records.
 */
@NullMarked
package dev.sluice.traffic;

import org.jspecify.annotations.NullMarked;
