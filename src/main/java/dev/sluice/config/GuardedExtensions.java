package dev.sluice.config;

import dev.sluice.Call;
import dev.sluice.CostResolver;
import dev.sluice.Decision;
import dev.sluice.LoadSignal;
import dev.sluice.RateLimitListener;
import dev.sluice.SubjectResolver;
import dev.sluice.config.yaml.Quote;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Wraps what the application supplies: what it throws is logged once a kind and goes no further. Safe for any threads. */
final class GuardedExtensions {

    private static final int MOST_KINDS = 20;

    private final Logger log;

    GuardedExtensions(Logger log) {
        this.log = log;
    }

    Map<String, SubjectResolver> guarded(Map<String, SubjectResolver> resolvers) {
        Map<String, SubjectResolver> guarded = new HashMap<>();
        resolvers.forEach((name, resolver) -> guarded.put(name, guarded(name, resolver)));
        return guarded;
    }

    private SubjectResolver guarded(String name, SubjectResolver resolver) {
        Complaints complaints = new Complaints("The resolver \"" + Quote.plain(name)
                + "\" failed. It is taken to have found no value, and the next source is tried");
        return new SubjectResolver() {
            @Override
            public @Nullable String resolve(Call call) {
                try {
                    return resolver.resolve(call);
                } catch (Throwable thrown) {
                    complaints.note(thrown);
                    return null;
                }
            }
        };
    }

    Map<String, CostResolver> guardedCosts(Map<String, CostResolver> resolvers) {
        Map<String, CostResolver> guarded = new HashMap<>();
        resolvers.forEach((name, resolver) -> guarded.put(name, guardedCost(name, resolver)));
        return guarded;
    }

    private CostResolver guardedCost(String name, CostResolver resolver) {
        Complaints complaints =
                new Complaints("The cost resolver \"" + Quote.plain(name) + "\" failed. Such calls count as 1");
        return call -> {
            try {
                return resolver.resolve(call);
            } catch (Throwable thrown) {
                complaints.note(thrown);
                return 1;
            }
        };
    }

    RateLimitListener guarded(RateLimitListener listener) {
        Complaints complaints = new Complaints("The listener "
                + listener.getClass().getName() + " failed. Decisions are not affected, but it may have missed some");
        return new RateLimitListener() {
            @Override
            public void onDecision(Call call, Decision decision) {
                try {
                    listener.onDecision(call, decision);
                } catch (Throwable thrown) {
                    complaints.note(thrown);
                }
            }
        };
    }

    LoadSignal guarded(LoadSignal signal) {
        Complaints complaints =
                new Complaints("The load signal " + signal.getClass().getName()
                        + " failed. While it fails, elastic limits let nothing pass beyond the threshold");
        return () -> {
            try {
                return signal.load();
            } catch (Throwable thrown) {
                complaints.note(thrown);
                return 1;
            }
        };
    }

    /** Says the same thing once for each class of what is thrown. */
    private final class Complaints {

        private final String sentence;
        private final Set<String> seen = ConcurrentHashMap.newKeySet();

        private Complaints(String sentence) {
            this.sentence = sentence;
        }

        private void note(Throwable thrown) {
            if (seen.size() < MOST_KINDS && seen.add(thrown.getClass().getName())) {
                log.warn("{} (said once for each kind of failure)", sentence, new LoggedFault(thrown));
            }
        }
    }
}
