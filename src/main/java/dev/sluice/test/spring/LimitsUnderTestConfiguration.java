package dev.sluice.test.spring;

import dev.sluice.test.LimitsUnderTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Makes the limits of an application's limiter those under test. They customize it last. */
@Configuration(proxyBeanMethods = false)
class LimitsUnderTestConfiguration {

    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    LimitsUnderTest limitsUnderTest() {
        return new LimitsUnderTest();
    }
}
