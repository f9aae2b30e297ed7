package dev.sluice.store.mongo;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.net.InetSocketAddress;
import java.time.Clock;

/** A MongoDB of this process: the real driver speaks the real protocol with it. */
public final class MongoServerInProcess implements AutoCloseable {

    private final boolean hasOplog;
    private final Clock clock;
    private final int port;
    private MongoServer server;

    private MongoServerInProcess(boolean hasOplog, Clock clock) {
        this.hasOplog = hasOplog;
        this.clock = clock;
        this.server = start(0);
        this.port = server.getLocalAddress().getPort();
    }

    public static MongoServerInProcess open() {
        return openAt(Clock.systemUTC());
    }

    /** One that has change streams, as members of a replica set have. */
    public static MongoServerInProcess openWithOplog() {
        return new MongoServerInProcess(true, Clock.systemUTC());
    }

    /** One whose clock is this one. */
    public static MongoServerInProcess openAt(Clock clock) {
        return new MongoServerInProcess(false, clock);
    }

    private MongoServer start(int atPort) {
        MongoServer started = new MongoServer(new MemoryBackend(clock));
        if (hasOplog) {
            started.enableOplog();
        }
        started.bind("127.0.0.1", atPort);
        return started;
    }

    public int port() {
        return port;
    }

    public String uri() {
        return "mongodb://127.0.0.1:" + port + "/";
    }

    /** The same for a machine that is short of processor time: an exchange may take long. */
    public String patientUri() {
        return uri() + "?timeoutMS=20000";
    }

    /** The place of the server, which no client can reach from now on. */
    public InetSocketAddress stop() {
        server.shutdownNow();
        return new InetSocketAddress("127.0.0.1", port);
    }

    /** Starts it again, empty. */
    public void startEmpty() {
        server = start(port);
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
