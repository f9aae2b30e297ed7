package dev.sluice.spring;

import dev.sluice.Phase;
import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import dev.sluice.servlet.RefusalHandler;
import dev.sluice.spring.security.AfterAuthentication;
import dev.sluice.spring.security.BeforeAuthentication;
import dev.sluice.spring.start.OnlyBean;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Registers the filter, unless the application registers its own. If the application uses Spring Security, registers
 * one filter in front of it and a second one behind it, so that each endpoint is applied where its caller is known.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(Sluice.class)
@ConditionalOnMissingBean(value = RateLimitFilter.class, parameterizedContainer = FilterRegistrationBean.class)
@ConditionalOnProperty(name = "sluice.filter.enabled", matchIfMissing = true)
class FilterConfiguration {

    private static final String SECURITY = "springSecurityFilterChain";
    private static final String SECURITY_ORDER = "spring.security.filter.order";
    /** The default order of Spring Security's filter. */
    private static final int DEFAULT_SECURITY_ORDER = -100;

    private static FilterRegistrationBean<Filter> registration(
            Filter filter, String name, int order, SluiceProperties properties) {
        FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter);
        registration.setName(name);
        registration.setOrder(order);
        registration.addInitParameter("parking", properties.filter().parking().word());
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR);
        return registration;
    }

    private static @Nullable RefusalHandler refusals(ListableBeanFactory beans) {
        return OnlyBean.find(beans, RefusalHandler.class);
    }

    private static int securityOrder(Environment environment) {
        return environment.getProperty(SECURITY_ORDER, Integer.class, DEFAULT_SECURITY_ORDER);
    }

    private static int order(SluiceProperties properties, Environment environment) {
        Integer order = properties.filter().order();
        return order != null ? order : securityOrder(environment) - 1;
    }

    /** Registers one filter for all endpoints if there is no Spring Security. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(name = SECURITY)
    static class Alone {

        @Bean("dev.sluice.filter")
        FilterRegistrationBean<Filter> filter(
                Sluice sluice, SluiceProperties properties, Environment environment, ListableBeanFactory beans) {
            return registration(
                    new RateLimitFilter(sluice, refusals(beans)),
                    "dev.sluice.filter",
                    order(properties, environment),
                    properties);
        }
    }

    /** Registers one filter in front of Spring Security and one behind it. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(name = SECURITY)
    static class AroundSecurity {

        @Bean("dev.sluice.filter")
        FilterRegistrationBean<Filter> before(
                Sluice sluice, SluiceProperties properties, Environment environment, ListableBeanFactory beans) {
            Filter asking = new RateLimitFilter(sluice.in(Phase.BEFORE_AUTHENTICATION), refusals(beans));
            return registration(
                    new BeforeAuthentication(asking, sluice),
                    "dev.sluice.filter",
                    order(properties, environment),
                    properties);
        }

        @Bean("dev.sluice.filterAfterAuthentication")
        FilterRegistrationBean<Filter> after(
                Sluice sluice, SluiceProperties properties, Environment environment, ListableBeanFactory beans) {
            Filter asking = new RateLimitFilter(sluice.in(Phase.AFTER_AUTHENTICATION), refusals(beans));
            return registration(
                    new AfterAuthentication(asking),
                    "dev.sluice.filterAfterAuthentication",
                    securityOrder(environment) + 1,
                    properties);
        }
    }
}
