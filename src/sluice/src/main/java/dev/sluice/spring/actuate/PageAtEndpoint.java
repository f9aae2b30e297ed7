package dev.sluice.spring.actuate;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMapper;

/** Where the page of the actuator is, and whether it may change something. */
final class PageAtEndpoint {

    private PageAtEndpoint() {}

    /**
     * Below the endpoint, wherever properties move it. Does not ask {@code PathMappedEndpoints}: that would create all
     * endpoints and their dependencies while the server starts.
     */
    static String below(WebEndpointProperties endpoints, ObjectProvider<PathMapper> mappers) {
        String endpoint = PathMapper.getRootPath(mappers.orderedStream().toList(), EndpointId.of("ratelimits"));
        return endpoints.getBasePath() + "/" + endpoint + "/page";
    }

    /** Whether the properties give write access to the endpoint; then the page has it too. */
    static boolean isWritable(ObjectProvider<EndpointAccessResolver> access) {
        EndpointAccessResolver resolver = access.getIfAvailable();
        return resolver != null
                && resolver.accessFor(EndpointId.of("ratelimits"), Access.READ_ONLY) == Access.UNRESTRICTED;
    }
}
