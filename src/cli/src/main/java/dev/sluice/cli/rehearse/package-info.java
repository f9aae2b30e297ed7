/**
 * What would a file have done to the traffic of some logs? {@code sluice rehearse} reads logs, plays them to the
 * limiter in virtual time, and reports.
 */
@NullMarked
package dev.sluice.cli.rehearse;

import org.jspecify.annotations.NullMarked;
