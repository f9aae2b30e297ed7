/** How does a servlet response get the rate-limit headers, and the body of a refusal? */
@NullMarked
package dev.sluice.internal.servlet.reply;

import org.jspecify.annotations.NullMarked;
