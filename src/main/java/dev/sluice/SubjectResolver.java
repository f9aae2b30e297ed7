package dev.sluice;

import org.jspecify.annotations.Nullable;

/** Finds a caller's identity: one of the sources that a subject's chain tries in turn. */
@FunctionalInterface
public interface SubjectResolver {

    /** The value for this call, or {@code null} if the call has none. Called once per matching endpoint and call. */
    @Nullable String resolve(Call call);
}
