package dev.sluice.cli.explain;

import dev.sluice.Call;
import dev.sluice.match.path.ForwardingCall;
import org.jspecify.annotations.Nullable;

/**
 * A call as it would be if this caller had made it.
 *
 * @param sent the call as it came
 */
record ImpersonatedCall(Call sent, CallerIdentity caller) implements ForwardingCall {

    @Override
    public String ip() {
        return caller.ip();
    }

    @Override
    public @Nullable String attribute(String name) {
        return caller.attributes().get(name);
    }

    @Override
    public @Nullable String principal() {
        return caller.user();
    }

    @Override
    public @Nullable String claim(String name) {
        return caller.claims().get(name);
    }

    @Override
    public @Nullable String session() {
        return caller.session();
    }
}
