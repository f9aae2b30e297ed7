/** Which endpoints apply to a call, and who is calling? */
@NullMarked
package dev.sluice.internal.match;

import org.jspecify.annotations.NullMarked;
