/**
 * Which calls are in some logs, in the order in which they began? Files are opened, decompressed, cut into lines,
 * read, merged and put in order, in bounded memory. Called by {@code rehearse} and the folders beside it; may call
 * {@code format} and {@code call}.
 */
@NullMarked
package dev.sluice.cli.rehearse.log;

import org.jspecify.annotations.NullMarked;
