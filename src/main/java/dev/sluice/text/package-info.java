/** How is text shown that somebody outside has written, or told by a short digest? Uses nothing. */
@NullMarked
package dev.sluice.text;

import org.jspecify.annotations.NullMarked;
