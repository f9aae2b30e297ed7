/**
 * Which calls are in some logs, in the order in which they began? The classes here open, decompress, read, merge and
 * sort logs, in bounded memory.
 */
@NullMarked
package dev.sluice.cli.rehearse.log;

import org.jspecify.annotations.NullMarked;
