/**
 * How does a servlet response get the limit's headers, and the body of a refusal? The filter calls this package. It may
 * use {@code underway}, and {@code http} for the contents.
 */
@NullMarked
package dev.sluice.internal.servlet.reply;

import org.jspecify.annotations.NullMarked;
