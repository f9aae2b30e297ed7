/**
 * What would a limits file have done to the traffic in access logs? {@code sluice rehearse} reads logs, plays their
 * calls to the limiter in virtual time, and reports who would have been refused.
 */
@NullMarked
package dev.sluice.cli.rehearse;

import org.jspecify.annotations.NullMarked;
