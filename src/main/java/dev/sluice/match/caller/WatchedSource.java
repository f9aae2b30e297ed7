package dev.sluice.match.caller;

import dev.sluice.Call;
import dev.sluice.SubjectResolver;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A source that yields something only if the service is set up for it. If it is asked again and again in vain, somebody
 * is told, once. Safe for any threads; as soon as it has yielded anything, it costs one read of a field.
 */
final class WatchedSource implements SubjectResolver {

    /** So many calls in vain are hardly chance. */
    static final int ENOUGH = 100;

    private final String name;
    private final SubjectResolver source;
    private final SilentSource told;
    private final AtomicInteger inVain = new AtomicInteger();
    private volatile boolean settled;

    WatchedSource(String name, SubjectResolver source, SilentSource told) {
        this.name = name;
        this.source = source;
        this.told = told;
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
        } else if (inVain.incrementAndGet() == ENOUGH) {
            settled = true;
            told.silent(name, ENOUGH, call.principal() != null);
        }
    }
}
