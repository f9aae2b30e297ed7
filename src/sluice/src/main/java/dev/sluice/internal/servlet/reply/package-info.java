/** How are the rate limit headers and the body of a refusal written to a servlet response? */
@NullMarked
package dev.sluice.internal.servlet.reply;

import org.jspecify.annotations.NullMarked;
