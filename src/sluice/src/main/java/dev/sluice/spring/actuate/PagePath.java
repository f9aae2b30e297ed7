package dev.sluice.spring.actuate;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMapper;

/** The path of the page. */
final class PagePath {

    private PagePath() {}

    /**
     * Below the endpoint, wherever properties move it. Does not ask {@code PathMappedEndpoints}: that would create all
     * endpoints and their dependencies while the server starts.
     */
    static String below(WebEndpointProperties endpoints, ObjectProvider<PathMapper> mappers) {
        String endpoint = PathMapper.getRootPath(mappers.orderedStream().toList(), EndpointId.of("ratelimits"));
        return endpoints.getBasePath() + "/" + endpoint + "/page";
    }
}
