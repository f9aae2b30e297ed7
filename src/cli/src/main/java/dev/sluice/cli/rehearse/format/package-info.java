/** Which call does a line of a log describe? The classes here read one line, in the format of the log. */
@NullMarked
package dev.sluice.cli.rehearse.format;

import org.jspecify.annotations.NullMarked;
