package dev.sluice.spring;

import dev.sluice.open.Sluice;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * Logs a warning if no filter uses the auto-configured limiter because the application has registered its own filter
 * with a different limiter.
 *
 * @param limiter the auto-configured limiter
 * @param filter the type of the application's filter, for the message
 * @param asked provides the limiters that the filters use; called after the filters have started
 */
record IdleLimiter(Sluice limiter, String filter, Supplier<List<Sluice>> asked)
        implements ApplicationListener<ApplicationReadyEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(IdleLimiter.class);

    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        List<Sluice> others = asked.get();
        if (!others.isEmpty() && !others.contains(limiter)) {
            LOG.warn(
                    "The limits in {} are not enforced: the {} of this application uses a different limiter, with the"
                            + " limits in {}. Health and actuator do not show that limiter. Pass the Sluice bean to the"
                            + " filter, or make the filter's limiter the bean.",
                    limiter.status().file().name(),
                    filter,
                    others.get(0).status().file().name());
        }
    }
}
