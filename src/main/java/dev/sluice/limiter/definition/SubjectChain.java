package dev.sluice.limiter.definition;

import dev.sluice.Call;
import dev.sluice.limits.SubjectSource;
import dev.sluice.match.caller.CountedValue;
import java.util.List;

/** The sources that are tried in turn to find one subject. */
public final class SubjectChain {

    /** Finds nobody. */
    public static final SubjectChain NONE = new SubjectChain(List.of());

    private final SubjectSource[] sources;

    SubjectChain(List<SubjectSource> sources) {
        this.sources = sources.toArray(SubjectSource[]::new);
    }

    /**
     * What a chain yields for a call.
     *
     * @param source the number of the source that had a value; the length of the chain if none had
     * @param value the value, empty if there is none
     */
    record Found(int source, String value) {}

    public Found find(Call call) {
        int source = 0;
        String value = value(source, call);
        while (value.isEmpty() && source < sources.length) {
            source++;
            value = value(source, call);
        }
        return new Found(source, value);
    }

    /** The value that the source of that number yields to count by; empty if none, or if there is no such source. */
    public String value(int source, Call call) {
        return source >= sources.length ? "" : CountedValue.in(sources[source], call);
    }

    public int length() {
        return sources.length;
    }
}
