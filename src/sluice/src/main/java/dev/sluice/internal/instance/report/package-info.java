/**
 * How does an instance report its limits and refusals? It writes them as text into the store, where the command line
 * reads them. Called by {@code config} and {@code cli}; depends only on {@code dev.sluice}.
 */
@NullMarked
package dev.sluice.internal.instance.report;

import org.jspecify.annotations.NullMarked;
