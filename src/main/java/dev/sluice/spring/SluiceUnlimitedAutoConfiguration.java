package dev.sluice.spring;

import dev.sluice.Decision;
import dev.sluice.RateLimiter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configures a limiter that lets all calls pass, if limits are switched off or there are none: an application that calls
 * {@code limiter.run} starts without them too.
 */
@AutoConfiguration(after = SluiceMethodsAutoConfiguration.class)
public final class SluiceUnlimitedAutoConfiguration {

    SluiceUnlimitedAutoConfiguration() {}

    @Bean("dev.sluice.unlimited")
    @ConditionalOnMissingBean
    static RateLimiter unlimited() {
        return call -> Decision.UNLIMITED;
    }
}
