/**
 * What does the page for operators show, regardless of the server? {@link dev.sluice.internal.page.PageAnswers} handles
 * requests and feeds event streams.
 */
@NullMarked
package dev.sluice.internal.page;

import org.jspecify.annotations.NullMarked;
