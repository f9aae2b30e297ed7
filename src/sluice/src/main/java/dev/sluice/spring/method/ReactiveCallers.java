package dev.sluice.spring.method;

import java.security.Principal;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import reactor.core.publisher.Mono;

/** Finds the authenticated subscriber in the Reactor context. */
final class ReactiveCallers {

    private ReactiveCallers() {}

    static Mono<Principal> authenticated() {
        return ReactiveSecurityContextHolder.getContext()
                .mapNotNull(context -> CurrentAuthentication.known(context.getAuthentication()));
    }
}
