package dev.sluice.spring.method;

import dev.sluice.Call;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** Finds the caller behind a method call on this thread, as far as one library knows it. */
interface CurrentCaller {

    /** The request that the thread is serving; {@code null} if there is none. */
    default @Nullable Call request() {
        return null;
    }

    /** The authenticated caller; {@code null} if there is none. */
    default @Nullable Principal authenticated() {
        return null;
    }
}
