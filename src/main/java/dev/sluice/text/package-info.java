/** How is text shown that somebody outside has written? Uses nothing. */
@NullMarked
package dev.sluice.text;

import org.jspecify.annotations.NullMarked;
