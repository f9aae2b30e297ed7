/** Which callers are blocked because they kept calling after refusals? */
@NullMarked
package dev.sluice.internal.limiter.block;

import org.jspecify.annotations.NullMarked;
