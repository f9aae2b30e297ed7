/**
 * How does text become values that know their position? A file is decoded, parsed within bounds, and its variables are
 * replaced ({@link dev.sluice.internal.config.yaml.YamlTree}); what is wrong is collected on the way ({@link
 * dev.sluice.internal.config.yaml.Findings}). This folder alone touches SnakeYAML, and knows no key of the file. All folders of
 * {@code config} call it; it may call {@code dev.sluice} only.
 */
@NullMarked
package dev.sluice.internal.config.yaml;

import org.jspecify.annotations.NullMarked;
