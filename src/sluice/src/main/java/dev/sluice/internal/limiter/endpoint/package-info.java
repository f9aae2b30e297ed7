/**
 * Which counters count a call? This package contains the compiled endpoints of one snapshot, and their variants for
 * clients with overrides.
 */
@NullMarked
package dev.sluice.internal.limiter.endpoint;

import org.jspecify.annotations.NullMarked;
