package dev.sluice.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The command {@code serve} at work, on a thread of its own and any free port. */
public final class ServedFile implements AutoCloseable {

    private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    private final Thread thread;
    private final String address;
    private final String following;
    private final String page;
    private final String example;

    /** Serves a file, with these further options of the command. */
    public ServedFile(String file, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("serve", "--port", "0", "--config", file));
        arguments.addAll(List.of(options));
        PipedWriter written = new PipedWriter();
        BufferedReader out = new BufferedReader(new PipedReader(written));
        thread = new Thread(() -> exitCode.complete(
                Main.commandLine().setOut(new PrintWriter(written, true)).execute(arguments.toArray(String[]::new))));
        thread.setDaemon(true);
        thread.start();
        address = out.readLine();
        following = out.readLine();
        page = out.readLine();
        example = out.readLine();
    }

    /** The first line of its output. */
    String address() {
        return address;
    }

    /** The second line of its output. */
    String following() {
        return following;
    }

    /** The third line of its output. */
    String page() {
        return page;
    }

    /** All its output. */
    public String printed() {
        return String.join("\n", address, following, page, example);
    }

    public int port() {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** Sends a request as it is written, and returns the raw answer. */
    String call(String method, String target) throws IOException {
        return call(method, target, "localhost");
    }

    /** The same with another host name. */
    String call(String method, String target, String host) throws IOException {
        try (Socket socket = send(method, target, host)) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Sends without waiting for the answer. */
    Socket send(String method, String target) throws IOException {
        return send(method, target, "localhost");
    }

    private Socket send(String method, String target, String host) throws IOException {
        Socket socket = new Socket("127.0.0.1", port());
        socket.setSoTimeout(20_000);
        String request = method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    /** Stops it as the JVM's shutdown does. */
    int stop() throws Exception {
        thread.interrupt();
        return exitCode.get(20, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws Exception {
        stop();
    }
}
