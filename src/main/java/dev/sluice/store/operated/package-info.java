/**
 * What do people who look after a service ask of a store: which limits are set there, which instances live, and what
 * counters hold? The contracts that every such store keeps, and the values that it answers with.
 */
@NullMarked
package dev.sluice.store.operated;

import org.jspecify.annotations.NullMarked;
