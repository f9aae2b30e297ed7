/**
 * How does an instance report its limits and refusals? It writes them as text to the store. The command line reads them
 * there.
 */
@NullMarked
package dev.sluice.internal.instance.report;

import org.jspecify.annotations.NullMarked;
