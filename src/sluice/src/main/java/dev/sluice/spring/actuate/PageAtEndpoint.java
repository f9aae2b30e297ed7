package dev.sluice.spring.actuate;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMapper;

/** Determines the path of the page in the actuator, and whether the page allows changes. */
final class PageAtEndpoint {

    private PageAtEndpoint() {}

    /**
     * The path of the page below the endpoint, even if properties move the endpoint. Does not use {@code
     * PathMappedEndpoints}, because that would create all endpoints and their dependencies while the server starts.
     */
    static String below(WebEndpointProperties endpoints, ObjectProvider<PathMapper> mappers) {
        String endpoint = PathMapper.getRootPath(mappers.orderedStream().toList(), EndpointId.of("ratelimits"));
        return endpoints.getBasePath() + "/" + endpoint + "/page";
    }

    /** Whether the properties grant write access to the endpoint. If so, the page also allows changes. */
    static boolean isWritable(ObjectProvider<EndpointAccessResolver> access) {
        EndpointAccessResolver resolver = access.getIfAvailable();
        return resolver != null
                && resolver.accessFor(EndpointId.of("ratelimits"), Access.READ_ONLY) == Access.UNRESTRICTED;
    }
}
