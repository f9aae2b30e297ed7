package example;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.embedded.core.ExecutableProvider;

/** The processes of the fleet: a redis-server and instances of the shop. {@link #close} ends them all. */
final class Processes implements AutoCloseable {

    private final Path directory;
    private final Path redisServer;
    private final int redisPort;
    private final List<Process> all = new ArrayList<>();

    Processes() throws IOException {
        directory = Files.createTempDirectory("fleet");
        redisServer = ExecutableProvider.newJarResourceProvider(directory.toFile())
                .get()
                .toPath();
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            redisPort = socket.getLocalPort();
        }
    }

    /** Starts a Redis that has no data of an earlier one. */
    Process startRedis() throws IOException, InterruptedException {
        Process redis = start(
                new ProcessBuilder(
                        redisServer.toString(),
                        "--port",
                        String.valueOf(redisPort),
                        "--bind",
                        "127.0.0.1",
                        "--dir",
                        directory.toString(),
                        "--save",
                        ""),
                "redis");
        while (!answers(redisPort)) {
            if (!redis.isAlive()) {
                throw new IllegalStateException("redis-server did not start: " + log("redis"));
            }
            Thread.sleep(20);
        }
        return redis;
    }

    /** Starts an instance and waits until it listens. */
    Shop startShop(String name) throws IOException {
        ProcessBuilder java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "example.Instance");
        // Starting three instances keeps a small machine busy, so Redis counts as unavailable only after 10 s
        // without an answer.
        java.environment().put("STORE_URI", "redis://127.0.0.1:" + redisPort + "?timeout=10s");
        Process process = start(java, name);
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        String port = output.readLine();
        if (port == null) {
            throw new IllegalStateException(name + " did not start: " + log(name));
        }
        return new Shop(name, Integer.parseInt(port), process, this);
    }

    /** The log of this process. */
    String log(String name) throws IOException {
        return Files.readString(directory.resolve(name + ".log"));
    }

    /** Kills a process like {@code kill -9}: it gets no notice and cannot return its permits. */
    static void kill(Process process) throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    private Process start(ProcessBuilder builder, String name) throws IOException {
        Process process = builder.redirectError(ProcessBuilder.Redirect.appendTo(
                        directory.resolve(name + ".log").toFile()))
                .start();
        all.add(process);
        return process;
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        all.forEach(Process::destroy);
        boolean interrupted = false;
        for (Process process : all) {
            try {
                if (!process.waitFor(10, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
