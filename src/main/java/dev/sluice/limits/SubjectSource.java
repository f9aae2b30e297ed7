package dev.sluice.limits;

import dev.sluice.SubjectResolver;

/**
 * One link of a subject's chain: a resolver under the name the file gives it.
 *
 * @param name as written in the file, for example {@code header:X-Org-Id}
 * @param resolver finds the value in a call
 */
public record SubjectSource(String name, SubjectResolver resolver) {}
