package dev.sluice.cli.explain;

import dev.sluice.Call;
import dev.sluice.internal.match.path.ForwardingCall;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call, with the facts about its caller that a server and its application know beyond the request.
 *
 * @param sent the call as it arrived
 * @param ip the caller's address
 * @param principal the user who is logged in; {@code null} if nobody is
 * @param login the name that the call tries to log in with, {@code null} if it tries none
 * @param session the identifier of the session, {@code null} if there is none
 * @param attributes of the request, which filters in front have set
 * @param claims of a verified token
 */
record ImpersonatedCall(
        Call sent,
        String ip,
        @Nullable String principal,
        @Nullable String login,
        @Nullable String session,
        Map<String, String> attributes,
        Map<String, String> claims)
        implements ForwardingCall {

    ImpersonatedCall {
        attributes = Map.copyOf(attributes);
        claims = Map.copyOf(claims);
    }

    @Override
    public @Nullable String attribute(String name) {
        return attributes.get(name);
    }

    @Override
    public @Nullable String claim(String name) {
        return claims.get(name);
    }
}
