/** What the README, the pages and the examples show can be copied: each snippet is loaded, compiled or run. */
@NullMarked
package dev.sluice.snippets;

import org.jspecify.annotations.NullMarked;
