/**
 * Which limits are in force for the instances of a store? This package finds the instances' files, the limits for one
 * caller, and the usage of these limits.
 */
@NullMarked
package dev.sluice.cli.fleet;

import org.jspecify.annotations.NullMarked;
