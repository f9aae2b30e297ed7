package dev.sluice.internal.match.caller;

import dev.sluice.Call;
import dev.sluice.SubjectResolver;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A source that has a value only if the service is set up for it. If many calls have none, there is one warning.
 * Safe for any threads; once it has had a value, the check costs one read of a field.
 */
final class WatchedSource implements SubjectResolver {

    /** This many calls without a value are hardly a coincidence. */
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
            warnings.silentSource(name, ENOUGH, call.principal() != null);
        }
    }
}
