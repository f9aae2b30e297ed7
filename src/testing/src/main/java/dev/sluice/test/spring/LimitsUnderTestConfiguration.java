package dev.sluice.test.spring;

import dev.sluice.test.LimitsUnderTest;
import java.util.Set;
import org.springframework.boot.context.annotation.DeterminableImports;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.type.AnnotationMetadata;

/** Puts the limits of the application's limiter under test. Runs after all other customizers. */
@Configuration(proxyBeanMethods = false)
class LimitsUnderTestConfiguration {

    /**
     * Imports the configuration after the application's beans. If several customizers have no order, the last one
     * defined runs last.
     */
    static final class Last implements DeferredImportSelector, DeterminableImports, Ordered {

        @Override
        public String[] selectImports(AnnotationMetadata importing) {
            return new String[] {LimitsUnderTestConfiguration.class.getName()};
        }

        /**
         * Makes equivalent selectors equal, so that test classes with the same configuration share an application
         * context.
         */
        @Override
        public Set<Object> determineImports(AnnotationMetadata importing) {
            return Set.of(LimitsUnderTestConfiguration.class);
        }

        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }
    }

    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    LimitsUnderTest limitsUnderTest() {
        return new LimitsUnderTest();
    }
}
