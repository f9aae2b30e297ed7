package dev.sluice.internal.store.redis.server;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The plainest Redis client there can be: for tests to look over the shoulder of the store. For one thread. */
public final class RedisWire implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 10_000;

    private final Socket socket = new Socket();
    private final InputStream in;
    private final OutputStream out;

    public RedisWire(int port) {
        try {
            socket.connect(new InetSocketAddress("127.0.0.1", port), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            in = new BufferedInputStream(socket.getInputStream());
            out = socket.getOutputStream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What Redis answered with an error. */
    public static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Refused(String message) {
            super(message);
        }
    }

    /** The answer: a {@code String}, a {@code Long}, a {@code List} of these, or {@code null}. */
    public Object call(String... words) {
        try {
            send(words);
            return read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends without waiting for the answer. */
    public void send(String... words) throws IOException {
        StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            text.append('$')
                    .append(word.getBytes(StandardCharsets.UTF_8).length)
                    .append("\r\n");
            text.append(word).append("\r\n");
        }
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private Object read() throws IOException {
        String line = line();
        String remaining = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> remaining;
            case ':' -> Long.valueOf(remaining);
            case '-' -> throw new Refused(remaining);
            case '$' -> remaining.equals("-1") ? null : bulk(Integer.parseInt(remaining));
            case '*' -> remaining.equals("-1") ? null : list(Integer.parseInt(remaining));
            default -> throw new IOException("not RESP2: " + line);
        };
    }

    private String bulk(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        line();
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private List<Object> list(int length) throws IOException {
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            list.add(read());
        }
        return list;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("Redis closed the connection");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
