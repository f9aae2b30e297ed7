package dev.sluice.spring;

import dev.sluice.config.Sluice;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * Warns if the filter of the application asks a limiter of its own, so that no filter asks this one.
 *
 * @param limiter that of the auto-configuration
 * @param filter what the application calls its filter
 * @param asked the limiters that its filters ask, known once they have started
 */
record IdleLimiter(Sluice limiter, String filter, Supplier<List<Sluice>> asked)
        implements ApplicationListener<ApplicationReadyEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(IdleLimiter.class);

    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        List<Sluice> others = asked.get();
        if (!others.isEmpty() && !others.contains(limiter)) {
            LOG.warn(
                    "By {}, no call is limited: the {} of this application asks another limiter, by {}, of which "
                            + "health and actuator know nothing. Let the filter ask the bean Sluice, or make its limiter "
                            + "the bean; then there is only one",
                    limiter.status().file().name(),
                    filter,
                    others.get(0).status().file().name());
        }
    }
}
