/**
 * How does an instance report its limits and refusals? It writes the reports to the store as text, and the command line
 * reads them from there.
 */
@NullMarked
package dev.sluice.internal.instance.report;

import org.jspecify.annotations.NullMarked;
