package dev.sluice.spring.actuate;

import dev.sluice.config.Sluice;
import dev.sluice.page.SluicePage;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.web.PathMapper;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * The page for operators, served by the server of the actuator, below the endpoint {@code ratelimits} wherever that is, so
 * that rules of Spring Security for the endpoint, such as {@code EndpointRequest.toAnyEndpoint()}, hold for it. Like any
 * endpoint that is exposed over HTTP, it is open to anyone who can reach it.
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnClass(SluicePage.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnAvailableEndpoint(endpoint = RateLimitsEndpoint.class, exposure = EndpointExposure.WEB)
class PageConfiguration {

    private static final String NAME = "dev.sluice.page";

    @Bean(NAME)
    ServletRegistrationBean<SluicePage> page(
            ObjectProvider<Sluice> limiters,
            WebEndpointProperties endpoints,
            ObjectProvider<PathMapper> mappers,
            Environment environment) {
        Sluice sluice = limiters.getIfUnique();
        SluicePage page =
                sluice == null ? new SluicePage() : SluicePage.of(sluice).open();
        ServletRegistrationBean<SluicePage> registration = new ServletRegistrationBean<>(
                page, servletPath(environment) + PagePath.below(endpoints, mappers) + "/*");
        registration.setName(NAME);
        registration.setLoadOnStartup(1); // counts from the start, and fails then if it has to
        registration.setEnabled(sluice != null);
        return registration;
    }

    /** The path before all endpoints; none if they have a server of their own. */
    private static String servletPath(Environment environment) {
        return ManagementPortType.get(environment) == ManagementPortType.SAME
                ? environment.getProperty("spring.mvc.servlet.path", "").replaceAll("/+$", "")
                : "";
    }
}
