package dev.sluice.spring.actuate;

import dev.sluice.open.Sluice;
import dev.sluice.page.SluicePage;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.web.PathMapper;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.Environment;

/**
 * Adds the page for operators to the actuator's server. The page is always below the path of the {@code ratelimits}
 * endpoint, so Spring Security rules for the endpoint, such as {@code EndpointRequest.toAnyEndpoint()}, also protect
 * the page. Without such rules, everybody who can reach the page can use it, as with any endpoint that is exposed over
 * HTTP. If the endpoint has write access, users of the page can make changes.
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
            ObjectProvider<EndpointAccessResolver> access,
            Environment environment) {
        Sluice sluice = limiters.getIfUnique();
        SluicePage page =
                sluice == null ? new SluicePage() : SluicePage.of(sluice).open();
        if (PageAtEndpoint.isWritable(access)) {
            page.openForChanges();
        }
        ServletRegistrationBean<SluicePage> registration = new ServletRegistrationBean<>(
                page, servletPath(environment) + PageAtEndpoint.below(endpoints, mappers) + "/*");
        registration.setName(NAME);
        registration.setLoadOnStartup(1); // collects data and reports failures from startup on
        registration.setEnabled(sluice != null);
        return registration;
    }

    /** Ends the event streams of open pages, because a graceful shutdown would otherwise wait for them. */
    @Bean(NAME + ".end")
    ApplicationListener<ContextClosedEvent> endOfPage(
            @Qualifier(NAME) ServletRegistrationBean<SluicePage> page, ApplicationContext context) {
        return event -> {
            SluicePage open = page.getServlet();
            if (open != null && event.getApplicationContext().equals(context)) {
                open.destroy();
            }
        };
    }

    /** The path prefix of all endpoints; empty if the endpoints have their own server. */
    private static String servletPath(Environment environment) {
        return ManagementPortType.get(environment) == ManagementPortType.SAME
                ? environment.getProperty("spring.mvc.servlet.path", "").replaceAll("/+$", "")
                : "";
    }
}
