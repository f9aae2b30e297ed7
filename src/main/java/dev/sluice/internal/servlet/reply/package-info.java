/**
 * How does a servlet response get the limit's headers, and the body of a refusal? Called by the filter; it may call
 * {@code underway}, and {@code http} for what they say.
 */
@NullMarked
package dev.sluice.internal.servlet.reply;

import org.jspecify.annotations.NullMarked;
