/**
 * Which calls are in some logs, in the order in which they began? Opens, decompresses, reads, merges and sorts logs, in
 * bounded memory.
 */
@NullMarked
package dev.sluice.cli.rehearse.log;

import org.jspecify.annotations.NullMarked;
