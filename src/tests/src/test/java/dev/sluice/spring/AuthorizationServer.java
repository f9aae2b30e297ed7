package dev.sluice.spring;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.spring.RunningApplication.Caller;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The part of an OAuth 2 server that a login needs: authorization codes, tokens, and their users. */
final class AuthorizationServer implements AutoCloseable {

    private static final String GOOD = "good";

    private final HttpServer server;

    private AuthorizationServer(HttpServer server) {
        this.server = server;
    }

    static AuthorizationServer start() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AuthorizationServer started = new AuthorizationServer(server);
        server.createContext("/token", exchange -> {
            Map<String, String> form =
                    parameters(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            boolean granted = GOOD.equals(form.get("code")) && "authorization_code".equals(form.get("grant_type"));
            answer(
                    exchange,
                    granted ? 200 : 400,
                    granted
                            ? "{\"access_token\":\"t1\",\"token_type\":\"Bearer\",\"expires_in\":600}"
                            : "{\"error\":\"invalid_grant\"}");
        });
        server.createContext("/user", exchange -> {
            boolean known = "Bearer t1".equals(exchange.getRequestHeaders().getFirst("Authorization"));
            answer(exchange, known ? 200 : 401, "{\"sub\":\"ann\"}");
        });
        server.start();
        return started;
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /**
     * Logs in as a browser does. It is redirected here and returns with a code, and the application exchanges the code.
     *
     * @param granted whether the code is one that this server has issued
     * @return the answer of the application
     */
    HttpResponse<String> logIn(Caller browser, boolean granted) {
        URI sentTo = URI.create(browser.get("/oauth2/authorization/local")
                .headers()
                .firstValue("Location")
                .orElseThrow());
        Map<String, String> asked = parameters(sentTo.getRawQuery());
        return browser.get(URI.create(asked.get("redirect_uri") + "?code=" + (granted ? GOOD : "guessed") + "&state="
                + asked.get("state").replace("=", "%3D")));
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new HashMap<>();
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            parameters.put(
                    pair.substring(0, equals), URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return parameters;
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
