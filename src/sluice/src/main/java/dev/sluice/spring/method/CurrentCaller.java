package dev.sluice.spring.method;

import dev.sluice.Call;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** Finds the caller of a method on the current thread. Each implementation queries one library. */
interface CurrentCaller {

    /** The request that the current thread is serving; {@code null} if there is none. */
    default @Nullable Call request() {
        return null;
    }

    /** The authenticated caller; {@code null} if the caller is not authenticated. */
    default @Nullable Principal authenticated() {
        return null;
    }
}
