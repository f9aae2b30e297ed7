package dev.sluice.internal.store.redis.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A stretch of bad network in front of a server: hands on what comes, until it is told to cut a script call, to delay
 * answers or to stand still. Safe for many threads.
 */
public final class FaultyProxy implements AutoCloseable {

    /** Where a connection is cut, seen from a script call, or a write of MongoDB, on its way. */
    public enum Cut {
        /** Redis never hears of the call. */
        BEFORE_REQUEST,
        /** Redis hears the first half of the call. */
        IN_REQUEST,
        /** Redis has answered, and nothing of the answer is handed on. */
        BEFORE_REPLY,
        /** Redis has answered, and half of the answer is handed on. */
        IN_REPLY
    }

    private final ServerSocket server;
    private volatile int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Cut> armed = new AtomicReference<>();
    private final AtomicInteger cuts = new AtomicInteger();
    private final Object gate = new Object();
    private boolean frozen;
    /** Connections of earlier ones are abandoned. */
    private int generation;

    private volatile Duration delay = Duration.ZERO;
    private final AtomicReference<Duration> callDelay = new AtomicReference<>(Duration.ZERO);
    private volatile boolean refusing;
    /** Whether the next cut lasts. */
    private volatile boolean isLong;

    /** Listens on a free port and hands on to this one. */
    public FaultyProxy(int target) {
        this.target = target;
        try {
            this.server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        thread("accept", this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    /** How many connections were cut by {@link #cutNext}. */
    public int cuts() {
        return cuts.get();
    }

    /** Cuts the connection over which the next script call goes. */
    public void cutNext(Cut cut) {
        armed.set(cut);
    }

    /** Cuts the connection over which the next script call goes, and all that come after it, until {@link #admit}. */
    public void cutForLong(Cut cut) {
        isLong = true;
        armed.set(cut);
    }

    /** Holds back every answer by this much. */
    public void delayReplies(Duration time) {
        delay = time;
    }

    /** Holds back the next script call, or write of MongoDB, by this much. */
    public void delayNextCall(Duration time) {
        callDelay.set(time);
    }

    /** Stands still: connections stay open, and nothing is handed on. */
    public void freeze() {
        synchronized (gate) {
            frozen = true;
        }
    }

    /** Goes on, and hands on what has come meanwhile. */
    public void thaw() {
        synchronized (gate) {
            frozen = false;
            gate.notifyAll();
        }
    }

    /** Hands nothing on any more over the connections there are, which stay open; others are served. */
    public void abandon() {
        synchronized (gate) {
            generation++;
        }
    }

    /** Cuts all connections; those that come are handed on to another port. */
    public void redirect(int port) {
        target = port;
        sockets.forEach(FaultyProxy::cut);
    }

    /** Cuts all connections, now and as they come. */
    public void refuse() {
        refusing = true;
        sockets.forEach(FaultyProxy::cut);
    }

    /** Ends {@link #refuse}. */
    public void admit() {
        refusing = false;
    }

    @Override
    public void close() {
        refuse();
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        thaw();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                if (refusing) {
                    cut(client);
                } else {
                    new Pipe(client).start();
                }
            } catch (SocketException closed) {
                // The test is over, or the target is unavailable: the client sees its connection end.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private int generation() {
        synchronized (gate) {
            return generation;
        }
    }

    private void passGate(int ofGeneration) throws InterruptedException {
        synchronized (gate) {
            while (!server.isClosed() && (frozen || ofGeneration < generation)) {
                gate.wait();
            }
        }
    }

    private static void thread(String name, Runnable task) {
        Thread thread = new Thread(task, "faulty-proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Resets, as a crash or a cut cable does. */
    private static void cut(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // It is as closed as it will ever be.
        }
    }

    /** What one side has sent and the other shall get. */
    private interface Hand {
        boolean on(byte[] bytes, int length) throws IOException, InterruptedException;
    }

    /** One connection and what becomes of it. */
    private final class Pipe {
        private final Socket client;
        private final int generation = generation();
        private final Socket upstream = new Socket();
        private volatile Cut pending;

        Pipe(Socket client) {
            this.client = client;
        }

        void start() {
            sockets.add(client);
            sockets.add(upstream);
            try {
                upstream.connect(new InetSocketAddress("127.0.0.1", target), 5000);
                upstream.setTcpNoDelay(true);
                client.setTcpNoDelay(true);
                OutputStream toServer = upstream.getOutputStream();
                OutputStream toClient = client.getOutputStream();
                thread("requests", () -> pump(client, (bytes, length) -> request(toServer, bytes, length)));
                thread("replies", () -> pump(upstream, (bytes, length) -> reply(toClient, bytes, length)));
            } catch (IOException e) {
                end();
            }
        }

        private boolean request(OutputStream server, byte[] bytes, int length)
                throws IOException, InterruptedException {
            boolean isExchange = isExchange(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
            Cut cut = isExchange ? armed.getAndSet(null) : null;
            if (isExchange) {
                Thread.sleep(callDelay.getAndSet(Duration.ZERO).toMillis());
            }
            if (cut != null) {
                cuts.incrementAndGet();
                pending = cut;
                refusing |= isLong;
                isLong = false;
            }
            if (cut == Cut.BEFORE_REQUEST) {
                return false;
            }
            server.write(bytes, 0, cut == Cut.IN_REQUEST ? length / 2 : length);
            return cut != Cut.IN_REQUEST;
        }

        /** A call of a script of Redis, or a write to MongoDB. */
        private boolean isExchange(String request) {
            return request.contains("EVAL") || request.contains("\u0002update\u0000");
        }

        private boolean reply(OutputStream toClient, byte[] bytes, int length)
                throws IOException, InterruptedException {
            if (!delay.isZero()) {
                Thread.sleep(delay.toMillis());
            }
            if (pending == Cut.BEFORE_REPLY) {
                return false;
            }
            toClient.write(bytes, 0, pending == Cut.IN_REPLY ? length / 2 : length);
            toClient.flush();
            return pending != Cut.IN_REPLY;
        }

        private void pump(Socket from, Hand hand) {
            byte[] bytes = new byte[1 << 16];
            try {
                InputStream in = from.getInputStream();
                boolean open = true;
                while (open) {
                    int length = in.read(bytes);
                    passGate(generation);
                    open = length >= 0 && hand.on(bytes, length);
                }
            } catch (IOException e) {
                // One side is gone; the other follows.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                end();
            }
        }

        private void end() {
            sockets.remove(client);
            sockets.remove(upstream);
            cut(client);
            cut(upstream);
        }
    }
}
