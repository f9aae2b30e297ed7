package dev.sluice.spring;

import dev.sluice.config.Sluice;
import jakarta.servlet.ServletContext;
import java.util.Collections;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.web.context.WebApplicationContext;

/**
 * Warns if the filter of the application asks a limiter of its own, so that no filter asks this one. Whether it does is
 * known once the filters have started, since they publish their limiters in the servlet context.
 *
 * @param limiter that of the auto-configuration
 */
record IdleLimiter(Sluice limiter) implements ApplicationListener<ApplicationReadyEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(IdleLimiter.class);

    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        if (event.getApplicationContext() instanceof WebApplicationContext web && web.getServletContext() != null) {
            if (asked(web.getServletContext()).noneMatch(limiter::equals)) {
                asked(web.getServletContext()).findFirst().ifPresent(this::warn);
            }
        }
    }

    private static Stream<Sluice> asked(ServletContext context) {
        return Collections.list(context.getAttributeNames()).stream()
                .map(context::getAttribute)
                .filter(Sluice.class::isInstance)
                .map(Sluice.class::cast);
    }

    private void warn(Sluice other) {
        LOG.warn(
                "By {}, no call is limited: the RateLimitFilter of this application asks another limiter, by {}, of which "
                        + "health and actuator know nothing. Let the filter ask the bean Sluice, or make its limiter the "
                        + "bean; then there is only one",
                limiter.status().file().name(),
                other.status().file().name());
    }
}
