package dev.sluice.spring.actuate;

import dev.sluice.internal.config.value.Nearest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;

/**
 * Rejects changes whose parameters are unknown to the {@code ratelimits} endpoint. Spring Boot would ignore such
 * parameters. If {@code lasts} were misspelt, for example, the limit would never expire.
 */
final class UnknownParameters implements OperationInvokerAdvisor {

    private static final EndpointId ENDPOINT = EndpointId.of("ratelimits");

    @Override
    public OperationInvoker apply(
            EndpointId endpoint, OperationType type, OperationParameters parameters, OperationInvoker invoker) {
        if (!endpoint.equals(ENDPOINT) || type == OperationType.READ) {
            return invoker;
        }
        Set<String> known = parameters.stream().map(one -> one.getName()).collect(Collectors.toSet());
        List<String> writable = parameters.stream()
                .filter(one -> one.getType() == String.class && one.getAnnotation(Selector.class) == null)
                .map(one -> one.getName())
                .toList();
        return context -> {
            Optional<String> unknown = context.getArguments().keySet().stream()
                    .filter(name -> !known.contains(name))
                    .sorted()
                    .findFirst();
            return unknown.isEmpty()
                    ? invoker.invoke(context)
                    : RateLimitsEndpoint.invalid(problem(unknown.get(), writable));
        };
    }

    private static String problem(String unknown, List<String> known) {
        String near = Nearest.keyMeant(unknown, Set.copyOf(known));
        return "there is no parameter " + unknown + (near == null ? "" : "; did you mean " + near + "?")
                + (near == null ? "; known parameters are " : " Known parameters are ") + String.join(", ", known);
    }
}
