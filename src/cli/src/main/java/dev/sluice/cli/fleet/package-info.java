/** What is in force on a store? The files of instances, the limits for one caller, and how much of them is used. */
@NullMarked
package dev.sluice.cli.fleet;

import org.jspecify.annotations.NullMarked;
