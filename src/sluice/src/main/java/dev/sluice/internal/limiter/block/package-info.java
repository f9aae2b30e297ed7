/** Which callers are blocked because they kept calling after being refused? */
@NullMarked
package dev.sluice.internal.limiter.block;

import org.jspecify.annotations.NullMarked;
