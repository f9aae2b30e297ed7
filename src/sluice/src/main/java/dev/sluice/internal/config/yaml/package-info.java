/**
 * How does text become values that know their position? This package decodes a file, parses it within bounds, and
 * replaces its variables ({@link dev.sluice.internal.config.yaml.YamlTree}); it collects problems on the way
 * ({@link dev.sluice.internal.config.yaml.Findings}). It is the only package that uses SnakeYAML, and knows no key of
 * the file.
 */
@NullMarked
package dev.sluice.internal.config.yaml;

import org.jspecify.annotations.NullMarked;
