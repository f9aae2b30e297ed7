package dev.sluice.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.MachineWatch;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One tab of a {@link Chromium}, with its errors: of scripts, of the console, of policies. */
public final class Tab implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long PATIENCE_SECONDS = 60;

    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final WebSocket socket;
    private final MachineWatch machine = new MachineWatch();

    private Tab(URI address) {
        socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(address, new Ear())
                .join();
    }

    static Tab open(int port) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/new?about:blank"))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        String answer = HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body();
        Tab tab = new Tab(
                URI.create(JSON.readTree(answer).get("webSocketDebuggerUrl").asText()));
        for (String domain : List.of("Page", "Runtime", "Log", "Audits", "Network")) {
            tab.call(domain + ".enable", JSON.createObjectNode());
        }
        return tab;
    }

    /** All errors so far. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** The addresses of all requests so far. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    /** Sets the size and a light or dark colour scheme. */
    public void look(int width, int height, double scale, boolean isDark) {
        call(
                "Emulation.setDeviceMetricsOverride",
                JSON.createObjectNode()
                        .put("width", width)
                        .put("height", height)
                        .put("deviceScaleFactor", scale)
                        .put("mobile", width < 600));
        ObjectNode media = JSON.createObjectNode().put("media", "");
        media.putArray("features")
                .addObject()
                .put("name", "prefers-color-scheme")
                .put("value", isDark ? "dark" : "light");
        call("Emulation.setEmulatedMedia", media);
    }

    public void show(String address) {
        call("Page.navigate", JSON.createObjectNode().put("url", address));
    }

    /** The value of a JavaScript expression; waits for a promise. */
    public JsonNode evaluate(String expression) {
        JsonNode answer = call(
                "Runtime.evaluate",
                JSON.createObjectNode()
                        .put("expression", expression)
                        .put("returnByValue", true)
                        .put("awaitPromise", true));
        if (answer.has("exceptionDetails")) {
            throw new IllegalStateException(
                    expression.lines().findFirst().orElse("") + ": " + answer.get("exceptionDetails"));
        }
        return answer.get("result").path("value");
    }

    /**
     * Waits until an expression is true. Fails if it is still false once the machine has run for the given number of
     * seconds.
     */
    public void await(String expression, long seconds) throws InterruptedException {
        long began = System.nanoTime();
        while (!evaluate("Boolean(" + expression + ")").asBoolean()) {
            if (machine.ranNanos(began) > TimeUnit.SECONDS.toNanos(seconds)) {
                throw new AssertionError("not within " + seconds + " s: " + expression + "; the page says: "
                        + evaluate("document.body.innerText").asText() + complaints);
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        long took = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
        if (took > seconds) {
            System.out.printf(
                    "It took %d s instead of %d, since the machine stood still now and then: %s%n",
                    took, seconds, expression);
        }
    }

    void press(String key, int code) {
        for (String type : List.of("keyDown", "keyUp")) {
            ObjectNode event = JSON.createObjectNode()
                    .put("type", type)
                    .put("key", key)
                    .put("code", key)
                    .put("windowsVirtualKeyCode", code);
            if (key.equals("Enter") && type.equals("keyDown")) {
                event.put("text", "\r");
            }
            call("Input.dispatchKeyEvent", event);
        }
    }

    /** Moves the pointer there. */
    void moveTo(double x, double y) {
        call(
                "Input.dispatchMouseEvent",
                JSON.createObjectNode().put("type", "mouseMoved").put("x", x).put("y", y));
    }

    /** A screenshot. */
    byte[] picture() {
        return Base64.getDecoder()
                .decode(call("Page.captureScreenshot", JSON.createObjectNode().put("format", "png"))
                        .get("data")
                        .asText());
    }

    JsonNode call(String method, ObjectNode parameters) {
        int id = ids.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", parameters);
        synchronized (this) {
            socket.sendText(message.toString(), true).join();
        }
        JsonNode told = answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        if (told.has("error")) {
            throw new IllegalStateException(method + ": " + told.get("error"));
        }
        return told.get("result");
    }

    private void hear(String text) {
        try {
            JsonNode message = JSON.readTree(text);
            if (message.has("id")) {
                answers.remove(message.get("id").asInt()).complete(message);
                return;
            }
            JsonNode said = message.path("params");
            switch (message.path("method").asText()) {
                case "Runtime.exceptionThrown" -> complaints.add("thrown: " + said);
                case "Runtime.consoleAPICalled" -> complaints.add("console: " + said);
                case "Log.entryAdded" -> complaints.add("log: " + said);
                case "Audits.issueAdded" -> complaints.add("issue: " + said);
                case "Network.requestWillBeSent" ->
                    requests.add(said.path("request").path("url").asText());
                default -> {}
            }
        } catch (Exception e) {
            complaints.add("not understood: " + text);
        }
    }

    /** Closes the tab in the browser too, because its connection would stay open otherwise. */
    @Override
    public void close() {
        machine.close();
        call("Page.close", JSON.createObjectNode());
        socket.abort();
    }

    /** Assembles messages that arrive in parts. */
    private final class Ear implements WebSocket.Listener {

        private final StringBuilder heard = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
            heard.append(part);
            if (isLast) {
                String text = heard.toString();
                heard.setLength(0);
                hear(text);
            }
            from.request(1);
            return null;
        }
    }
}
