/** Which call does a log line describe? The classes in this package parse one line in the format of its log. */
@NullMarked
package dev.sluice.cli.rehearse.format;

import org.jspecify.annotations.NullMarked;
