package dev.sluice.spring.actuate;

import dev.sluice.open.Sluice;
import dev.sluice.webflux.SluiceWebPage;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.web.PathMapper;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/** The counterpart of {@link PageConfiguration} for reactive applications. */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnAvailableEndpoint(endpoint = RateLimitsEndpoint.class, exposure = EndpointExposure.WEB)
class WebPageConfiguration {

    @Bean("dev.sluice.page")
    @Nullable SluiceWebPage page(
            ObjectProvider<Sluice> limiters,
            WebEndpointProperties endpoints,
            ObjectProvider<PathMapper> mappers,
            ObjectProvider<EndpointAccessResolver> access) {
        Sluice sluice = limiters.getIfUnique();
        if (sluice == null) {
            return null;
        }
        SluiceWebPage page = SluiceWebPage.of(sluice)
                .at(PageAtEndpoint.below(endpoints, mappers))
                .open();
        return PageAtEndpoint.isWritable(access) ? page.openForChanges() : page;
    }
}
