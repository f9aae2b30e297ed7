package dev.sluice.spring;

import dev.sluice.Decision;
import dev.sluice.RateLimiter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configures a limiter that admits every call if there are no limits or if they are disabled. An application that
 * injects a {@link RateLimiter} can therefore start even without limits.
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
