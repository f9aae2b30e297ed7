/**
 * What do operators ask of a store? They ask which overrides are set, which instances are alive and what counters
 * contain. This package has the contracts that stores implement, with their values.
 */
@NullMarked
package dev.sluice.internal.store.admin;

import org.jspecify.annotations.NullMarked;
