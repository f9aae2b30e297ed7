/**
 * How is a rehearsal reported? As text for a terminal, as JSON for programs and as an HTML page. Called by {@code rehearse};
 * may call {@code tally}, {@code log} and {@code play}.
 */
@NullMarked
package dev.sluice.cli.rehearse.report;

import org.jspecify.annotations.NullMarked;
