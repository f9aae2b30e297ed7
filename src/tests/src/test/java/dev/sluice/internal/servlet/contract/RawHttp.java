package dev.sluice.internal.servlet.contract;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** Sends a request exactly as written; other clients would normalise unusual paths. */
public final class RawHttp {

    private static final Pattern BEGIN = Pattern.compile("(?=HTTP/1\\.[01] \\d{3})");
    private static final int PATIENCE = 20_000;
    /** If a server is silent for this long, it waits for more; the connection then signals that nothing more comes. */
    private static final int QUIET = 150;

    private RawHttp() {}

    /** An answer as it was received. */
    public record Answer(int status, List<String> headerLines, String body) {

        /** The only value of a header. */
        public String header(String name) {
            List<String> values = headers(name);
            if (values.size() != 1) {
                throw new AssertionError(name + " has not one value but " + values + ", in " + this);
            }
            return values.get(0);
        }

        public List<String> headers(String name) {
            return headerLines.stream()
                    .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .toList();
        }
    }

    public static Answer get(WebServer server, String target) {
        return send(server, "GET", target);
    }

    public static Answer send(WebServer server, String method, String target, String... headers) {
        StringBuilder request = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        return exchange(server, request + "Connection: close\r\n\r\n");
    }

    /** Sends a request without waiting for the answer. */
    public static Socket begin(WebServer server, String target) throws IOException {
        Socket socket = new Socket("127.0.0.1", server.port());
        String request = "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    /** Sends a request and a part of its body, without waiting for the answer. */
    static Socket beginToSend(WebServer server, String target) throws IOException {
        Socket socket = new Socket("127.0.0.1", server.port());
        String request = "POST " + target + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\nhello";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    static Answer postForm(WebServer server, String target, String form) {
        return exchange(
                server,
                "POST " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                        + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + form.length()
                        + "\r\n\r\n" + form);
    }

    /**
     * Sends everything over one connection, and returns all answers until the server closes it. If the server waits for
     * more, signals that nothing more comes, and the server answers what it has read.
     */
    public static List<Answer> sendAll(WebServer server, String requests) {
        return answers(exchange(server, requests, QUIET));
    }

    /** The answers to several requests; the last one asks the server to close the connection. */
    public static List<Answer> sendAllThenClose(WebServer server, String requests) {
        return answers(exchange(server, requests, PATIENCE));
    }

    private static List<Answer> answers(String text) {
        return BEGIN.splitAsStream(text).map(RawHttp::parse).toList();
    }

    private static Answer exchange(WebServer server, String request) {
        return parse(exchange(server, request, PATIENCE));
    }

    private static String exchange(WebServer server, String request, int quiet) {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(quiet);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            try {
                socket.getInputStream().transferTo(answer);
            } catch (SocketTimeoutException e) {
                if (quiet == PATIENCE) {
                    throw e;
                }
                socket.setSoTimeout(PATIENCE);
                socket.shutdownOutput();
                socket.getInputStream().transferTo(answer);
            }
        } catch (SocketException e) {
            // the server has closed the connection without reading everything
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return answer.toString(StandardCharsets.ISO_8859_1);
    }

    private static Answer parse(String answer) {
        int end = answer.indexOf("\r\n\r\n");
        if (end < 0) {
            return new Answer(0, List.of(), answer); // HTTP/0.9, or the connection was closed
        }
        List<String> lines = answer.substring(0, end).lines().toList();
        int status = Integer.parseInt(lines.get(0).split(" ", -1)[1]);
        return new Answer(status, lines.subList(1, lines.size()), answer.substring(end + 4));
    }
}
