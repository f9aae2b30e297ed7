package example;

import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;

/** A shop that limits its customers, whichever of their API keys they use. */
final class Shop implements AutoCloseable {

    private final Sluice limits;
    private final Server server;

    Shop(int port) throws Exception {
        ApiKeys keys = ApiKeys.ofClassPath();
        limits = Sluice.builder()
                .config("classpath:rate-limits.yml")
                .resolver("customer", keys::customer)
                .resolver("plan", keys::plan)
                .open();
        FilterHolder filter = new FilterHolder(new RateLimitFilter(limits));
        filter.setAsyncSupported(true);
        ServletContextHandler shop = new ServletContextHandler();
        shop.addFilter(filter, "/*", EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
        shop.addServlet(new ProductServlet(), "/product/*");
        server = new Server(new InetSocketAddress("127.0.0.1", port));
        server.setHandler(shop);
        server.start();
    }

    /** The address of the shop, for example {@code http://127.0.0.1:8080}. */
    String address() {
        return "http://127.0.0.1:" + server.getURI().getPort();
    }

    @Override
    public void close() throws Exception {
        server.stop();
        limits.close();
    }

    public static void main(String[] arguments) throws Exception {
        try (Shop shop = new Shop(8080)) {
            System.out.println("serving " + shop.address() + "/product/42; Ctrl+C ends it");
            shop.server.join();
        }
    }

    /** Shows a product; contains no code for limits. */
    private static final class ProductServlet extends HttpServlet {

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("text/plain;charset=utf-8");
            response.getWriter()
                    .println("This is product " + request.getPathInfo().substring(1) + ".");
        }
    }
}
