/**
 * How is a caller told? Headers, and the problem document of a refusal. Called by the filter; it may call
 * {@code underway}.
 */
@NullMarked
package dev.sluice.servlet.reply;

import org.jspecify.annotations.NullMarked;
