/**
 * How does an instance report its limits and refusals? It writes them as text into the store, where the command line
 * reads them.
 */
@NullMarked
package dev.sluice.internal.instance.report;

import org.jspecify.annotations.NullMarked;
