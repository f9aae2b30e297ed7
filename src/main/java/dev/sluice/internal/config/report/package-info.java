/**
 * How does an instance report itself? Its limits and refusals as text, which instances write into the store and the command
 * line reads there. Called by {@code config} and {@code cli}; knows the root alone.
 */
@NullMarked
package dev.sluice.internal.config.report;

import org.jspecify.annotations.NullMarked;
