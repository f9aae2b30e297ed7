package dev.sluice.spring.method;

import dev.sluice.Call;
import dev.sluice.GivenSubjects;
import dev.sluice.internal.http.request.TokenClaims;
import dev.sluice.internal.match.path.ForwardingCall;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call to a limited method.
 *
 * @param sent the request behind the call, or {@link #NO_REQUEST}
 * @param authenticated the authenticated caller to use if the request has none; {@code null} if there is none
 * @param called the called method
 * @param arguments the arguments of the method
 * @param holdsThread whether the call holds its thread while it is queued
 */
record MethodCall(
        Call sent,
        @Nullable Principal authenticated,
        LimitedMethod called,
        List<@Nullable Object> arguments,
        boolean holdsThread)
        implements ForwardingCall {

    /** The value of {@code sent} if there is no request behind the call. */
    static final Call NO_REQUEST = new GivenSubjects(Map.of());

    /**
     * Does not query the request behind the call, because a queued method call does not always hold the request's
     * thread.
     */
    @Override
    public boolean holdsThread(boolean isMadeUp) {
        return holdsThread;
    }

    @Override
    public @Nullable String argument(String name) {
        int index = called.parameters().indexOf(name);
        return index < 0 ? null : GivenSubjects.textOf(arguments.get(index));
    }

    @Override
    public @Nullable String principal() {
        String ofRequest = sent.principal();
        return ofRequest != null || authenticated == null ? ofRequest : authenticated.getName();
    }

    @Override
    public @Nullable String claim(String name) {
        String ofRequest = sent.claim(name);
        return ofRequest != null || authenticated == null ? ofRequest : TokenClaims.AVAILABLE.find(authenticated, name);
    }
}
