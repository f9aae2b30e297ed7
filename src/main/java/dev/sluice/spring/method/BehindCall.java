package dev.sluice.spring.method;

import dev.sluice.Call;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** What a library knows of who is behind a call of a method on this thread. */
interface BehindCall {

    /** The request that the thread is serving; {@code null} if there is none. */
    default @Nullable Call request() {
        return null;
    }

    /** Who has been authenticated; {@code null} if nobody has. */
    default @Nullable Principal authenticated() {
        return null;
    }
}
