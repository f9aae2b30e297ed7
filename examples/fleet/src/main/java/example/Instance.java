package example;

import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** One instance of the shop, in its own process. Prints the port that it listens on. */
final class Instance {

    private Instance() {}

    public static void main(String[] arguments) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        Context shop = tomcat.addContext("", null);
        Tomcat.addServlet(shop, "product", new ProductServlet());
        shop.addServletMappingDecoded("/product/*", "product");

        Sluice limits = Sluice.open("classpath:rate-limits.yml");
        limit(shop, limits);
        tomcat.start();
        System.out.println(tomcat.getConnector().getLocalPort());
        tomcat.getServer().await();
    }

    private static void limit(Context shop, Sluice limits) {
        FilterDef filter = new FilterDef();
        filter.setFilterName("rate-limits");
        filter.setFilter(new RateLimitFilter(limits));
        filter.setAsyncSupported("true");
        FilterMap everything = new FilterMap();
        everything.setFilterName("rate-limits");
        everything.addURLPattern("/*");
        for (DispatcherType type : List.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR)) {
            everything.setDispatcher(type.name()); // adds the type
        }
        shop.addFilterDef(filter);
        shop.addFilterMap(everything);
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
