/**
 * Does an endpoint's {@code when} hold for this call at this time? This package contains subject conditions and
 * schedules.
 */
@NullMarked
package dev.sluice.internal.match.condition;

import org.jspecify.annotations.NullMarked;
