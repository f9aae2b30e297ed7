/**
 * Which pattern of ours stands for the paths that another program's regular expression, prefix or glob matches? Called
 * by the readers of the formats; uses nothing.
 */
@NullMarked
package dev.sluice.cli.imports.path;

import org.jspecify.annotations.NullMarked;
