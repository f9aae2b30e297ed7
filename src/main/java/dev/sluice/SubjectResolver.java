package dev.sluice;

import org.jspecify.annotations.Nullable;

/** Finds who makes a call: one possible answer among those a subject's chain tries in turn. */
@FunctionalInterface
public interface SubjectResolver {

    /**
     * The caller's name in this respect, or {@code null} if the call does not tell. Called once per matching endpoint
     * and call.
     */
    @Nullable String resolve(Call call);
}
