/**
 * What would a file have done to the traffic of some logs? {@code sluice rehearse} reads logs, plays them to the
 * limiter in virtual time, and reports. Called by {@code cli}; may call the folders below it, {@code command} and
 * {@code text}.
 */
@NullMarked
package dev.sluice.cli.rehearse;

import org.jspecify.annotations.NullMarked;
