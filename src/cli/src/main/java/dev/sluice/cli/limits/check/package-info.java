/**
 * What should an operator know before setting a client's limit? This package finds out whether the limit would have an
 * effect, whether the client has made calls, and which limit is replaced.
 */
@NullMarked
package dev.sluice.cli.limits.check;

import org.jspecify.annotations.NullMarked;
