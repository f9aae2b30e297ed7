package dev.sluice.spring.actuate;

import dev.sluice.config.Sluice;
import dev.sluice.page.SluicePage;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * The page for operators at {@code /actuator/ratelimits/page/}, served by the server of the actuator. Below the endpoint,
 * so that rules of Spring Security for the endpoint, such as {@code EndpointRequest.toAnyEndpoint()}, hold for it. Like any
 * exposed endpoint, it is open to anyone who can reach it.
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnClass(SluicePage.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnAvailableEndpoint(endpoint = RateLimitsEndpoint.class)
class PageConfiguration {

    private static final String NAME = "dev.sluice.page";

    @Bean(NAME)
    ServletRegistrationBean<SluicePage> page(ObjectProvider<Sluice> limiters, Environment environment) {
        Sluice sluice = limiters.getIfUnique();
        SluicePage page =
                sluice == null ? new SluicePage() : SluicePage.of(sluice).open();
        String base = environment.getProperty("management.endpoints.web.base-path", "/actuator");
        String prefix = base.equals("/") ? "" : base;
        ServletRegistrationBean<SluicePage> registration =
                new ServletRegistrationBean<>(page, prefix + "/ratelimits/page/*");
        registration.setName(NAME);
        registration.setLoadOnStartup(1); // counts from the start, and fails then if it has to
        registration.setEnabled(sluice != null);
        return registration;
    }
}
