package dev.sluice.internal.config.extension;

import dev.sluice.CostResolver;
import dev.sluice.LoadSignal;
import dev.sluice.RateLimitListener;
import dev.sluice.SubjectResolver;
import dev.sluice.internal.config.yaml.Quote;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Wraps the application's resolvers, listeners and load signal. The wrappers catch all exceptions, and log each kind of
 * exception once. Thread-safe.
 */
public final class GuardedExtensions {

    private final FaultLog faults;

    public GuardedExtensions(Logger log) {
        this.faults = new FaultLog(log, Level.WARN);
    }

    public SubjectResolver guarded(String name, SubjectResolver resolver) {
        String consequence =
                "The resolver \"" + Quote.plain(name) + "\" failed. The next source of the subject is tried.";
        return call -> {
            try {
                return resolver.resolve(call);
            } catch (Throwable thrown) {
                faults.report(consequence, thrown);
                return null;
            }
        };
    }

    public CostResolver guardedCost(String name, CostResolver resolver) {
        String consequence = "The cost resolver \"" + Quote.plain(name) + "\" failed. These calls cost 1.";
        return call -> {
            try {
                return resolver.resolve(call);
            } catch (Throwable thrown) {
                faults.report(consequence, thrown);
                return 1;
            }
        };
    }

    public GuardedListeners guarded(List<RateLimitListener> listeners) {
        return new GuardedListeners(faults, listeners);
    }

    public LoadSignal guarded(LoadSignal signal) {
        String consequence = "The load signal " + signal.getClass().getName()
                + " failed. While it fails, elastic limits admit no calls beyond the threshold.";
        return () -> {
            try {
                return signal.load();
            } catch (Throwable thrown) {
                faults.report(consequence, thrown);
                return 1;
            }
        };
    }
}
