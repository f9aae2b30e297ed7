package dev.sluice.cli.explain;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a server and its application know of a caller, besides what the request contains.
 *
 * @param ip where the call comes from
 * @param user who is logged in, {@code null} if nobody is
 * @param session the identifier of the session, {@code null} if there is none
 * @param attributes of the request, set by filters in front
 * @param claims of a token that was verified
 */
record CallerIdentity(
        String ip,
        @Nullable String user,
        @Nullable String session,
        Map<String, String> attributes,
        Map<String, String> claims) {

    CallerIdentity {
        attributes = Map.copyOf(attributes);
        claims = Map.copyOf(claims);
    }
}
