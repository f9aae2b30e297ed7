package dev.sluice.spring;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.util.ClassUtils;

/** A running Spring Boot application on a free port, and calls to it. */
final class RunningApplication implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    private RunningApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Starts it with these properties; it counts in memory by default. */
    static RunningApplication start(Class<?> application, String... properties) {
        return start(application, WebApplicationType.SERVLET, properties);
    }

    /** Starts it as a reactive application on Netty. */
    static RunningApplication startReactive(Class<?> application, String... properties) {
        return start(application, WebApplicationType.REACTIVE, properties);
    }

    /** Starts it without a server. */
    static RunningApplication startWithoutServer(Class<?> application, String... properties) {
        return start(application, WebApplicationType.NONE, properties);
    }

    /** By default Spring Boot would choose Tomcat, which is on the class path too. */
    private static void serveByNetty(GenericApplicationContext context) {
        List<String> inSpringBoot4And3 = List.of(
                "org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory",
                "org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory");
        Class<?> factory = inSpringBoot4And3.stream()
                .filter(name -> ClassUtils.isPresent(name, context.getClassLoader()))
                .findFirst()
                .map(name -> ClassUtils.resolveClassName(name, context.getClassLoader()))
                .orElseThrow();
        context.registerBeanDefinition("netty", new RootBeanDefinition(factory));
    }

    private static RunningApplication start(Class<?> application, WebApplicationType type, String... properties) {
        Map<String, String> all = new LinkedHashMap<>(Map.of(
                "server.port", "0",
                "server.address", "127.0.0.1",
                "spring.main.banner-mode", "off",
                "spring.main.register-shutdown-hook", "false",
                "spring.reactor.netty.shutdown-quiet-period", "0s"));
        if (SpringBootVersion.getVersion().startsWith("3.")) {
            // In its Reactor Netty, a connection can hang if a request arrives while the response to the previous one
            // ends. With one request for each connection, that cannot happen.
            all.put("server.netty.max-keep-alive-requests", "1");
        }
        if (Stream.of(properties).noneMatch(property -> property.startsWith("spring.data.redis"))) {
            all.put("sluice.store", "memory:");
        }
        for (String property : properties) {
            int equals = property.indexOf('=');
            all.put(property.substring(0, equals), property.substring(equals + 1));
        }
        return new RunningApplication(new SpringApplicationBuilder(application)
                .web(type)
                .initializers(context -> {
                    if (type == WebApplicationType.REACTIVE) {
                        serveByNetty((GenericApplicationContext) context);
                    }
                })
                .run(all.entrySet().stream()
                        .map(property -> "--" + property.getKey() + '=' + property.getValue())
                        .toArray(String[]::new)));
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    URI at(String path) {
        return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + path);
    }

    /** A caller who keeps cookies. */
    Caller caller(String... headers) {
        return new Caller(this, headers);
    }

    HttpResponse<String> get(String path, String... headers) {
        return caller(headers).get(path);
    }

    @Override
    public void close() {
        context.close();
    }

    /** Sends requests like a browser, but does not follow redirects. */
    static final class Caller {

        private final RunningApplication application;
        private final String[] headers;
        private final HttpClient client = HttpClient.newBuilder()
                .cookieHandler(new CookieManager())
                .version(HttpClient.Version.HTTP_1_1)
                .build();

        private Caller(RunningApplication application, String... headers) {
            this.application = application;
            this.headers = headers;
        }

        HttpResponse<String> get(String path) {
            return get(application.at(path));
        }

        /** With a header for this request alone. */
        HttpResponse<String> get(String path, String header, String value) {
            return send(HttpRequest.newBuilder(application.at(path)).header(header, value));
        }

        HttpResponse<String> get(URI uri) {
            return send(HttpRequest.newBuilder(uri));
        }

        /** A preflight, as a browser sends it before a script of another site reads. */
        HttpResponse<String> preflight(String path, String origin) {
            return send(HttpRequest.newBuilder(application.at(path))
                    .method("OPTIONS", BodyPublishers.noBody())
                    .header("Origin", origin)
                    .header("Access-Control-Request-Method", "GET"));
        }

        HttpResponse<String> delete(String path) {
            return send(HttpRequest.newBuilder(application.at(path)).DELETE());
        }

        HttpResponse<String> postForm(String path, String form) {
            return post(path, "application/x-www-form-urlencoded", form);
        }

        HttpResponse<String> post(String path, String type, String body) {
            return send(HttpRequest.newBuilder(application.at(path))
                    .header("Content-Type", type)
                    .POST(BodyPublishers.ofString(body)));
        }

        private HttpResponse<String> send(HttpRequest.Builder request) {
            for (int i = 0; i < headers.length; i += 2) {
                request.header(headers[i], headers[i + 1]);
            }
            try {
                return client.send(request.build(), BodyHandlers.ofString());
            } catch (IOException e) {
                throw new AssertionError(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }
    }
}
