package example;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.springframework.boot.SpringApplication;

/** The gateway with a shop behind it: {@code mvn spring-boot:test-run}. */
public final class GatewayWithShop {

    private GatewayWithShop() {}

    public static void main(String[] arguments) throws IOException {
        System.setProperty("SHOP_URL", url(startShop()));
        SpringApplication.run(Gateway.class, arguments);
    }

    /** Starts a shop on a free port. */
    static HttpServer startShop() throws IOException {
        HttpServer shop = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        shop.createContext("/product/", exchange -> {
            byte[] answer = ("This is " + exchange.getRequestURI().getPath() + ".\n").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        shop.start();
        return shop;
    }

    static String url(HttpServer shop) {
        return "http://127.0.0.1:" + shop.getAddress().getPort();
    }
}
