/**
 * What does the page for operators show, regardless of the server? {@link dev.sluice.internal.page.PageAnswers} answers
 * requests and feeds streams of events.
 */
@NullMarked
package dev.sluice.internal.page;

import org.jspecify.annotations.NullMarked;
