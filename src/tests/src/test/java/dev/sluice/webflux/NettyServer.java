package dev.sluice.webflux;

import dev.sluice.internal.servlet.contract.WebServer;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.server.reactive.ContextPathCompositeHandler;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;

/** A WebFlux application on Netty, with a filter, over HTTP/1 and cleartext HTTP/2. */
public final class NettyServer implements WebServer {

    private final AnnotationConfigApplicationContext beans;
    private final DisposableServer server;

    private NettyServer(AnnotationConfigApplicationContext beans, DisposableServer server) {
        this.beans = beans;
        this.server = server;
    }

    /**
     * Starts an application with this base path and these classes of beans. One of them needs {@code @EnableWebFlux}.
     */
    public static NettyServer start(String basePath, Supplier<RateLimitWebFilter> filter, Class<?>... application) {
        return start(basePath, filter, beans -> {}, application);
    }

    /** The same with more beans. */
    public static NettyServer start(
            String basePath,
            Supplier<RateLimitWebFilter> filter,
            Consumer<GenericApplicationContext> more,
            Class<?>... application) {
        AnnotationConfigApplicationContext beans = new AnnotationConfigApplicationContext();
        beans.registerBean("limits", RateLimitWebFilter.class, filter);
        more.accept(beans);
        if (application.length > 0) {
            beans.register(application);
        }
        beans.refresh();
        HttpHandler handler = WebHttpHandlerBuilder.applicationContext(beans).build();
        HttpHandler mounted = basePath.isEmpty() ? handler : new ContextPathCompositeHandler(Map.of(basePath, handler));
        DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .idleTimeout(Duration.ofSeconds(2)) // ends connections whose malformed calls it leaves unanswered
                .protocol(HttpProtocol.HTTP11, HttpProtocol.H2C)
                .handle(new ReactorHttpHandlerAdapter(mounted))
                .bindNow(Duration.ofSeconds(30));
        return new NettyServer(beans, server);
    }

    public <T> T bean(Class<T> type) {
        return beans.getBean(type);
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.disposeNow(Duration.ofSeconds(30));
        beans.close();
    }
}
