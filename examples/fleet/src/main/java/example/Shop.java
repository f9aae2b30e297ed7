package example;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** One instance of the shop, as its callers see it. */
final class Shop {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final String name;
    private final int port;
    private final Process process;
    private final Processes processes;
    /** The length of the part of the log that has been read. */
    private int logRead;

    Shop(String name, int port, Process process, Processes processes) {
        this.name = name;
        this.port = port;
        this.process = process;
        this.processes = processes;
    }

    Process process() {
        return process;
    }

    /** Requests a product as this tenant; returns the status. */
    int call(String tenant) throws IOException, InterruptedException {
        URI product = URI.create("http://127.0.0.1:" + port + "/product/42");
        HttpRequest request = HttpRequest.newBuilder(product)
                .header("X-Org-Id", tenant)
                .timeout(Duration.ofSeconds(30))
                .build();
        return CLIENT.send(request, BodyHandlers.discarding()).statusCode();
    }

    /** Skips the lines that the instance has logged so far, so that {@link #awaitLog} does not find them. */
    void skipLog() throws IOException {
        logRead = processes.log(name).length();
    }

    /** Waits until the instance logs this text, and returns the line. */
    String awaitLog(String said) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (true) {
            String log = processes.log(name).substring(logRead);
            String found = log.lines().filter(line -> line.contains(said)).findFirst().orElse("");
            if (!found.isEmpty()) {
                return found;
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(name + " never logged \"" + said + "\":\n" + log);
            }
            Thread.sleep(50);
        }
    }
}
