/**
 * How does the text of a file become values with positions? This package decodes a file, parses it within bounds, and
 * replaces its variables ({@link dev.sluice.internal.config.yaml.YamlTree}). It also collects the problems that it
 * finds ({@link dev.sluice.internal.config.yaml.Findings}). It is the only package that uses SnakeYAML, and it does not
 * depend on any particular key.
 */
@NullMarked
package dev.sluice.internal.config.yaml;

import org.jspecify.annotations.NullMarked;
