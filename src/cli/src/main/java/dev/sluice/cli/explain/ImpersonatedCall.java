package dev.sluice.cli.explain;

import dev.sluice.Call;
import dev.sluice.internal.match.path.ForwardingCall;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call with additional facts about its caller. In production, the server and the application supply these facts.
 *
 * @param sent the call as it arrived
 * @param ip the caller's address
 * @param principal the authenticated user; {@code null} if there is none
 * @param login the user name of a login attempt; {@code null} if the call is not a login attempt
 * @param session the session id; {@code null} if there is none
 * @param attributes the request attributes that earlier filters would set
 * @param claims the claims of a verified token
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
