package dev.sluice.test.spring;

import dev.sluice.test.LimitsUnderTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Puts the limits of the application's limiter under test, after all other customizers. */
@Configuration(proxyBeanMethods = false)
class LimitsUnderTestConfiguration {

    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    LimitsUnderTest limitsUnderTest() {
        return new LimitsUnderTest();
    }
}
