package dev.sluice.config;

import dev.sluice.match.caller.SilentSourceListener;
import org.slf4j.Logger;

/** Logs why a source of subjects yields nothing, and what becomes of its callers. */
record SilentSourceLog(Logger log, String file) implements SilentSourceListener {

    @Override
    public void silent(String source, int calls, boolean authenticated) {
        log.warn(
                "The source {} of {} has yielded nothing for any of the first {} calls that it was asked for: {}. Such "
                        + "callers are counted by the next source of their subject, and as one where there is none (said once)",
                source,
                file,
                calls,
                why(source, authenticated));
    }

    private static String why(String source, boolean authenticated) {
        if (source.equals("session")) {
            return "no call came with a session that exists; a service without sessions has to count by something else";
        }
        String claim = source.startsWith("claim:") ? source.substring("claim:".length()) : null;
        if (claim != null && authenticated) {
            return "callers are authenticated, but by no token that Spring Security's resource server has verified and "
                    + "that has the claim " + claim;
        }
        return "no call was authenticated when the limits were asked. Perhaps nobody has logged in yet. Otherwise the filter "
                + "stands before what authenticates calls: put it behind that; Spring Security's order is -100";
    }
}
