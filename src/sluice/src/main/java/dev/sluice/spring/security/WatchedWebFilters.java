package dev.sluice.spring.security;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.ReactiveAuthenticationManagerResolver;
import org.springframework.security.web.server.MatcherSecurityWebFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authentication.AuthenticationWebFilter;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher.MatchResult;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;

/**
 * Watches managers that exist only in a chain's filters. These are, for example, token managers, and managers that an
 * application passes to {@code ServerHttpSecurity}. The manager of an existing filter can be neither accessed nor
 * replaced. Therefore, this class replaces the whole filter with a new {@link AuthenticationWebFilter} that has the
 * same field values. Only filters with a known set of fields are replaced, but not subclasses, or filters of Spring
 * Security versions with different fields. Thread-safe.
 */
final class WatchedWebFilters {

    private static final String MANAGER = "authenticationManagerResolver";
    private static final String CONVERTER = "authenticationConverter";
    private static final String SUCCESS = "authenticationSuccessHandler";
    private static final String FAILURE = "authenticationFailureHandler";
    private static final String CONTEXT = "securityContextRepository";
    private static final String MATCHER = "requiresAuthenticationMatcher";
    private static final Set<String> PARTS = Set.of(MANAGER, CONVERTER, SUCCESS, FAILURE, CONTEXT, MATCHER);

    private final UnaryOperator<ReactiveAuthenticationManager> watch;
    private final Set<String> unwatched = new ConcurrentSkipListSet<>();

    /**
     * Creates an object that watches managers by applying a function.
     *
     * @param watch converts a manager to a watched one
     */
    WatchedWebFilters(UnaryOperator<ReactiveAuthenticationManager> watch) {
        this.watch = watch;
    }

    /** The filters whose managers cannot be watched, with their chains. */
    Set<String> unwatched() {
        return new TreeSet<>(unwatched);
    }

    /** A copy of the given chain with watched managers. */
    SecurityWebFilterChain watched(SecurityWebFilterChain chain, String beanName) {
        List<WebFilter> filters = new ArrayList<>();
        boolean isWatched = false;
        for (WebFilter filter : chain.getWebFilters().toIterable()) {
            WebFilter copy = filter instanceof AuthenticationWebFilter known ? watched(known) : null;
            if (copy == null && filter instanceof AuthenticationWebFilter) {
                unwatched.add(filter.getClass().getName() + " of " + beanName);
            }
            isWatched |= copy != null;
            filters.add(copy == null ? filter : copy);
        }
        return isWatched
                ? new MatcherSecurityWebFilterChain(
                        exchange -> chain.matches(exchange)
                                .flatMap(matches -> matches ? MatchResult.match() : MatchResult.notMatch()),
                        filters)
                : chain;
    }

    private @Nullable AuthenticationWebFilter watched(AuthenticationWebFilter filter) {
        Map<String, Object> parts = filter.getClass() == AuthenticationWebFilter.class ? parts(filter) : Map.of();
        if (!parts.keySet().equals(PARTS)) {
            return null;
        }
        ReactiveAuthenticationManagerResolver<ServerWebExchange> managers = part(parts, MANAGER);
        AuthenticationWebFilter copy = new AuthenticationWebFilter(
                (ServerWebExchange exchange) -> managers.resolve(exchange).map(watch));
        copy.setServerAuthenticationConverter(part(parts, CONVERTER));
        copy.setAuthenticationSuccessHandler(part(parts, SUCCESS));
        copy.setAuthenticationFailureHandler(part(parts, FAILURE));
        copy.setSecurityContextRepository(part(parts, CONTEXT));
        copy.setRequiresAuthenticationMatcher(part(parts, MATCHER));
        return copy;
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the field has the type of the setter's parameter
    private static <T> T part(Map<String, Object> parts, String name) {
        return (T) Objects.requireNonNull(parts.get(name));
    }

    /** The field values of a filter, by field name. Empty if any value cannot be read. */
    private static Map<String, Object> parts(AuthenticationWebFilter filter) {
        Map<String, Object> parts = new HashMap<>();
        List<Field> fields = Arrays.stream(AuthenticationWebFilter.class.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .toList();
        for (Field field : fields) {
            try {
                field.setAccessible(true);
                parts.put(field.getName(), field.get(filter));
            } catch (ReflectiveOperationException | RuntimeException e) {
                return Map.of();
            }
        }
        return parts;
    }
}
