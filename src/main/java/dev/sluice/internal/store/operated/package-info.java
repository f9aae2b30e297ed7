/**
 * What do operators ask of a store: which limits are set there, which instances are alive, and what do counters
 * contain? The contracts that such stores implement, and their values.
 */
@NullMarked
package dev.sluice.internal.store.operated;

import org.jspecify.annotations.NullMarked;
