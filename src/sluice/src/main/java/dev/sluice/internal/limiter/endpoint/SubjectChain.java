package dev.sluice.internal.limiter.endpoint;

import dev.sluice.Call;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.internal.match.caller.SubjectSources;
import dev.sluice.limits.SubjectSource;
import java.util.List;

/** The sources that are tried one after another to find the value of one subject. Thread-safe. */
public final class SubjectChain {

    /** A chain without sources. */
    static final SubjectChain NONE = new SubjectChain(List.of());

    private final SubjectSource[] sources;

    SubjectChain(List<SubjectSource> sources) {
        this.sources = sources.toArray(SubjectSource[]::new);
    }

    /**
     * The result of a chain for a call.
     *
     * @param source the index of the source that provided the value; the length of the chain if none did
     * @param value the value; empty if there is none
     */
    public record Result(int source, String value) {}

    /**
     * Tries the sources one after another. The result is created in only one place, so that the JIT compiler can avoid
     * its allocation if the calling method reads its fields immediately.
     */
    public Result find(Call call) {
        int source = 0;
        String value = value(source, call);
        while (value.isEmpty() && source < sources.length) {
            source++;
            value = value(source, call);
        }
        return new Result(source, value);
    }

    private String value(int source, Call call) {
        return source >= sources.length ? "" : SubjectKey.in(sources[source], call);
    }

    /** Whether this chain provides the name in a login attempt. That name is known only during the attempt. */
    boolean isLogin() {
        return sources.length > 0 && SubjectSources.isLogin(sources[0]);
    }

    /** Returns the number of sources. */
    int length() {
        return sources.length;
    }
}
