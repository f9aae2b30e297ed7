/**
 * Which data do operators read from a store? They read the overrides in force, the live instances, and the contents of
 * counters. This package contains the interfaces that stores implement for operators, and the values that these
 * interfaces return.
 */
@NullMarked
package dev.sluice.internal.store.admin;

import org.jspecify.annotations.NullMarked;
