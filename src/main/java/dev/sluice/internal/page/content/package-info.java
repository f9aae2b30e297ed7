/**
 * What does the page for operators say, whoever serves it? {@link dev.sluice.internal.page.content.PageAnswers} answers requests and
 * feeds streams of events. Called by the servlet in {@code page} and by {@code webflux}.
 */
@NullMarked
package dev.sluice.internal.page.content;

import org.jspecify.annotations.NullMarked;
