package dev.sluice.internal.match.caller;

import dev.sluice.Call;
import dev.sluice.SubjectResolver;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A source that yields values only if the service is set up for it, such as a claim. If the first calls have no value,
 * this class warns once. As soon as a call has had a value, the check costs only a field read. Thread-safe.
 */
final class WatchedSource implements SubjectResolver {

    /** The number of calls without a value after which the setup is probably wrong. */
    static final int ENOUGH = 100;

    private final String name;
    private final SubjectResolver source;
    private final CallerWarnings warnings;
    private final AtomicInteger withoutValue = new AtomicInteger();
    private volatile boolean settled;

    WatchedSource(String name, SubjectResolver source, CallerWarnings warnings) {
        this.name = name;
        this.source = source;
        this.warnings = warnings;
    }

    @Override
    public @Nullable String resolve(Call call) {
        String value = source.resolve(call);
        if (!settled) {
            watch(value, call);
        }
        return value;
    }

    private void watch(@Nullable String value, Call call) {
        if (value != null && !value.isEmpty()) {
            settled = true;
        } else if (withoutValue.incrementAndGet() == ENOUGH) {
            settled = true;
            warnings.emptySource(name, ENOUGH, call.principal() != null);
        }
    }
}
