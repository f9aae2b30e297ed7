/**
 * Which of our patterns match the same paths as another program's regular expression, prefix or glob? Called
 * by the readers of the formats; uses nothing.
 */
@NullMarked
package dev.sluice.cli.imports.path;

import org.jspecify.annotations.NullMarked;
