/**
 * What does a caller see? The limit's headers, and the body of a refusal. Called by the filter; it may call
 * {@code underway}.
 */
@NullMarked
package dev.sluice.servlet.reply;

import org.jspecify.annotations.NullMarked;
