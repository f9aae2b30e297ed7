/**
 * What does the page for operators show, whichever server serves it?
 * {@link dev.sluice.internal.page.PageAnswers} answers requests and feeds streams of events. The servlet in
 * {@code page} and {@code webflux} use this package.
 */
@NullMarked
package dev.sluice.internal.page;

import org.jspecify.annotations.NullMarked;
