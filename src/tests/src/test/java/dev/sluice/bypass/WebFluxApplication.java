package dev.sluice.bypass;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpCookie;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.reactive.config.ResourceHandlerRegistry;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.resource.PathResourceResolver;
import org.springframework.web.reactive.resource.ResourceResolverChain;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * The same as {@link ServletApplication} in WebFlux: by its path patterns, and where none matches by what a service
 * behind a gateway may read, to which the path goes as it was sent.
 */
final class WebFluxApplication {

    private static final Pattern KNOWABLE = Pattern.compile("[A-Za-z0-9]{1,40}");

    private WebFluxApplication() {}

    @Configuration(proxyBeanMethods = false)
    @EnableWebFlux
    static class Settings implements WebFluxConfigurer {

        @Override
        public void addResourceHandlers(ResourceHandlerRegistry registry) {
            registry.setOrder(-1);
            registry.addResourceHandler("/files/**")
                    .addResourceLocations("classpath:/bypass/files/", "file:target/test-classes/bypass/files/")
                    .resourceChain(false)
                    .addResolver(new ReportingResolver());
        }
    }

    /** Reports each file that is found, by its place below the directory. */
    private static final class ReportingResolver extends PathResourceResolver {

        @Override
        protected Mono<Resource> resolveResourceInternal(
                @Nullable ServerWebExchange exchange,
                String path,
                List<? extends Resource> locations,
                ResourceResolverChain chain) {
            return super.resolveResourceInternal(exchange, path, locations, chain)
                    .doOnNext(found -> {
                        if (exchange != null) {
                            reportOf(exchange);
                            report(exchange, "file=" + place(found));
                        }
                    });
        }

        private static String place(Resource found) {
            try {
                String path = found.getURI().normalize().getPath().replaceFirst("/$", "");
                return path.substring(path.lastIndexOf("/bypass/") + "/bypass".length());
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @RestController
    static class Controller {

        @RequestMapping("/login")
        Mono<Void> login(ServerWebExchange exchange) {
            reportOf(exchange);
            report(exchange, "login");
            return Mono.empty();
        }

        @RequestMapping("/api/**")
        Mono<Void> api(ServerWebExchange exchange) {
            reportOf(exchange);
            report(exchange, "api");
            return Mono.empty();
        }

        @RequestMapping("/orgs/{org}/**")
        Mono<Void> org(@PathVariable("org") String org, ServerWebExchange exchange) {
            reportOf(exchange);
            reportIfKnowable(exchange, "org", () -> org);
            return Mono.empty();
        }

        /** Reads the path as a service behind a gateway would. */
        @RequestMapping("/**")
        Mono<Void> route(ServerWebExchange exchange) {
            reportOf(exchange);
            String sent = exchange.getRequest().getURI().getRawPath();
            String base = exchange.getRequest().getPath().contextPath().value();
            Set<String> paths = new TreeSet<>();
            for (String path : List.of(segmentBySegment(sent), normalised(sent))) {
                if (path.startsWith(base)) {
                    paths.add(path.substring(base.length()));
                }
            }
            for (String path : paths) {
                if (path.equals("/login")) {
                    report(exchange, "login");
                }
                if (path.startsWith("/api/")) {
                    report(exchange, "api");
                }
                if (path.startsWith("/orgs/")) {
                    reportIfKnowable(
                            exchange,
                            "org",
                            () -> path.substring("/orgs/".length()).split("/", -1)[0]);
                }
            }
            return Mono.empty();
        }
    }

    /** The segments as they were sent, without parameters, each decoded separately. */
    private static String segmentBySegment(String sent) {
        StringBuilder path = new StringBuilder();
        for (String segment : sent.split("/", -1)) {
            String name = segment.split(";", -1)[0];
            if (!name.isEmpty()) {
                path.append('/').append(decode(name));
            }
        }
        return path.toString();
    }

    /** The whole path, first decoded and then normalised. */
    private static String normalised(String sent) {
        String decoded = decode(sent.replaceAll(";[^/]*", "")).replace('\\', '/');
        try {
            return new URI(null, null, decoded.replaceAll("/+", "/"), null)
                    .normalize()
                    .getPath();
        } catch (URISyntaxException e) {
            return "";
        }
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2b"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    private static void report(ServerWebExchange exchange, String what) {
        exchange.getResponse().getHeaders().add(Served.HEADER, what);
    }

    /** All that does not depend on where the call goes. */
    private static void reportOf(ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        reportIfKnowable(exchange, "method", () -> request.getMethod().name());
        reportIfKnowable(exchange, "user", () -> request.getQueryParams().getFirst("user"));
        reportIfKnowable(exchange, "plan", () -> request.getQueryParams().getFirst("plan"));
        reportIfKnowable(exchange, "tenant", () -> request.getHeaders().getFirst("X-Org-Id"));
        reportIfKnowable(exchange, "visitor", () -> {
            HttpCookie cookie = request.getCookies().getFirst("visitor");
            return cookie == null ? null : cookie.getValue();
        });
    }

    private static void reportIfKnowable(ServerWebExchange exchange, String name, Supplier<@Nullable String> value) {
        String found = value.get();
        if (found != null && KNOWABLE.matcher(found).matches()) {
            report(exchange, name + "=" + found);
        }
    }
}
