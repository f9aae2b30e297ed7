/** Which call does a log line describe? The classes in this package parse single lines in the format of their log. */
@NullMarked
package dev.sluice.cli.rehearse.format;

import org.jspecify.annotations.NullMarked;
