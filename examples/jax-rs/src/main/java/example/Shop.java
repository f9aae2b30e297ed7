package example;

import dev.sluice.open.Sluice;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.net.URI;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.filter.HttpMethodOverrideFilter;

/** A shop whose resources contain no code for limits. */
final class Shop implements AutoCloseable {

    private final Sluice limits;
    private final HttpServer server;

    Shop(int port, Class<?>... more) {
        limits = Sluice.open("classpath:rate-limits.yml");
        ResourceConfig application = new ResourceConfig(Products.class, Orders.class)
                .registerClasses(more)
                .register(HttpMethodOverrideFilter.class)
                .register(new RateLimitFilter(limits));
        server = GrizzlyHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:" + port), application);
    }

    /** The address of the shop, for example {@code http://127.0.0.1:8080}. */
    String address() {
        return "http://127.0.0.1:" + server.getListener("grizzly").getPort();
    }

    @Override
    public void close() {
        server.shutdownNow();
        limits.close();
    }

    public static void main(String[] arguments) throws InterruptedException {
        try (Shop shop = new Shop(8080)) {
            System.out.println("serving " + shop.address() + "/product/42; Ctrl+C ends it");
            Thread.currentThread().join();
        }
    }

    @Path("/product/{id}")
    public static final class Products {

        @GET
        public String get(@PathParam("id") String id) {
            return "This is product " + id + ".";
        }

        @DELETE
        public void delete(@PathParam("id") String id) {}
    }

    @Path("/order/{id}")
    public static final class Orders {

        @POST
        public String order(@PathParam("id") String id) {
            if (id.equals("unknown")) {
                throw new NotFoundException();
            }
            if (id.equals("broken")) {
                throw new IllegalStateException("the till is broken");
            }
            return "Ordered " + id + ".";
        }
    }
}
