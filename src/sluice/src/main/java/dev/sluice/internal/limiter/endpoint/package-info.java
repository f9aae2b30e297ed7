/**
 * Which counters count a call? This package has the compiled endpoints of one snapshot, with variants for clients with
 * overrides.
 */
@NullMarked
package dev.sluice.internal.limiter.endpoint;

import org.jspecify.annotations.NullMarked;
