/**
 * Which calls do the logs contain, in the order of their start? The classes in this package open, decompress, read,
 * merge and sort logs, in bounded memory.
 */
@NullMarked
package dev.sluice.cli.rehearse.log;

import org.jspecify.annotations.NullMarked;
