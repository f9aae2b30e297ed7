/** How do words from outside stand in the messages of stores? It calls nothing. */
@NullMarked
package dev.sluice.store.text;

import org.jspecify.annotations.NullMarked;
