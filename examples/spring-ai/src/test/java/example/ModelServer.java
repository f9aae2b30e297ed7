package example;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Speaks the OpenAI protocol as far as the assistant needs it, including streams, on a free port of this machine. Its
 * answer depends on the question:
 *
 * <ul>
 *   <li>{@code count to 50}: that many words, each of one token
 *   <li>{@code count for ever}: words until the caller leaves, if it streams
 *   <li>{@code fail}: status 400; {@code break}: sends nonsense after five words of a stream
 *   <li>{@code weather}: calls the tool, then repeats what it answered
 * </ul>
 */
final class ModelServer implements AutoCloseable {

    /** The number of tokens that it charges for a prompt of any length. */
    static final int PROMPT_TOKENS = 20;

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Pattern COUNT = Pattern.compile("count to (\\d+)");

    private final AtomicLong used = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger streamsLeft = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private volatile CountDownLatch gate = new CountDownLatch(0);

    ModelServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/v1/chat/completions", this::answer);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
    }

    /** The number of tokens that it has charged in complete answers. */
    long used() {
        return used.get();
    }

    /** The number of calls that have reached it. */
    int asked() {
        return asked.get();
    }

    /** The number of streams that were aborted by their readers. */
    int streamsLeft() {
        return streamsLeft.get();
    }

    /** Makes it hold back all answers until {@link #open}. */
    void hold() {
        gate = new CountDownLatch(1);
    }

    void open() {
        gate.countDown();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode request = JSON.readTree(exchange.getRequestBody());
            asked.incrementAndGet();
            if (!gate.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the gate was never opened");
            }
            JsonNode messages = request.get("messages");
            JsonNode last = messages.get(messages.size() - 1);
            String text = last.get("content").asString();
            if (text.equals("fail")) {
                send(exchange, 400, Map.of("error", Map.of("message", "failed by a test", "type", "test")));
            } else if (request.path("stream").asBoolean()) {
                stream(exchange, text);
            } else if (last.get("role").asString().equals("tool")) {
                complete(exchange, Map.of("role", "assistant", "content", "The tool says: " + text), "stop", 10);
            } else if (text.startsWith("weather")) {
                Map<String, String> call = Map.of("name", "forecast", "arguments", "{\"city\":\"Paris\"}");
                complete(
                        exchange,
                        Map.of(
                                "role",
                                "assistant",
                                "tool_calls",
                                List.of(Map.of("id", "call-1", "type", "function", "function", call))),
                        "tool_calls",
                        10);
            } else {
                int words = words(text);
                complete(exchange, Map.of("role", "assistant", "content", " one".repeat(words)), "stop", words);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static int words(String question) {
        Matcher found = COUNT.matcher(question);
        return found.find() ? Integer.parseInt(found.group(1)) : Integer.MAX_VALUE;
    }

    private void complete(HttpExchange exchange, Map<String, ?> message, String reason, int tokens)
            throws IOException {
        used.addAndGet(PROMPT_TOKENS + tokens);
        send(
                exchange,
                200,
                Map.of(
                        "id", "answer",
                        "object", "chat.completion",
                        "created", 1,
                        "model", "test",
                        "choices", List.of(Map.of("index", 0, "message", message, "finish_reason", reason)),
                        "usage", usage(tokens)));
    }

    private static void send(HttpExchange exchange, int status, Object body) throws IOException {
        byte[] json = JSON.writeValueAsBytes(body);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, json.length);
        exchange.getResponseBody().write(json);
    }

    private void stream(HttpExchange exchange, String question) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        OutputStream to = exchange.getResponseBody();
        int words = question.equals("break") ? 5 : words(question);
        try {
            for (int word = 0; word < words; word++) {
                event(to, chunk(Map.of("role", "assistant", "content", " one"), ""));
            }
        } catch (IOException e) {
            streamsLeft.incrementAndGet();
            return;
        }
        if (question.equals("break")) {
            to.write("data: nonsense\n\n".getBytes(StandardCharsets.UTF_8));
            return;
        }
        used.addAndGet(PROMPT_TOKENS + words);
        event(to, chunk(Map.of(), "stop"));
        event(
                to,
                Map.of(
                        "id", "answer",
                        "object", "chat.completion.chunk",
                        "created", 1,
                        "model", "test",
                        "choices", List.of(),
                        "usage", usage(words)));
        to.write("data: [DONE]\n\n".getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, ?> usage(int tokens) {
        return Map.of(
                "prompt_tokens",
                PROMPT_TOKENS,
                "completion_tokens",
                tokens,
                "total_tokens",
                PROMPT_TOKENS + tokens);
    }

    private static Map<String, ?> chunk(Map<String, ?> delta, String reason) {
        Map<String, ?> choice = reason.isEmpty()
                ? Map.of("index", 0, "delta", delta)
                : Map.of("index", 0, "delta", delta, "finish_reason", reason);
        return Map.of(
                "id", "answer",
                "object", "chat.completion.chunk",
                "created", 1,
                "model", "test",
                "choices", List.of(choice));
    }

    private static void event(OutputStream to, Object data) throws IOException {
        to.write(("data: " + JSON.writeValueAsString(data) + "\n\n").getBytes(StandardCharsets.UTF_8));
        to.flush();
    }

    @Override
    public void close() {
        open();
        server.stop(0);
        threads.shutdownNow();
    }
}
