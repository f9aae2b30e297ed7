package dev.sluice.internal.store.mongo;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;
import dev.sluice.internal.store.mongo.document.CounterDocuments;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** A MongoDB of this process: the real driver speaks the real protocol with it. */
public final class MongoServerInProcess implements AutoCloseable {

    /**
     * A write names a counter and its version. Without this index the server would look at all documents for each. The
     * server writes the name of its database into the document, so each needs its own.
     */
    private static Document indexOfWrites() {
        return new Document("createIndexes", CounterDocuments.NAME)
                .append(
                        "indexes",
                        List.of(new Document("name", "writes")
                                .append("unique", true)
                                .append("key", new Document("_id", 1).append("version", 1))));
    }

    private final boolean hasOplog;
    private final Clock clock;
    private final int port;
    private final Map<String, Document> latest = new ConcurrentHashMap<>();
    private final Map<String, Refusal> refusals = new ConcurrentHashMap<>();
    private final Queue<LateWrite> lateWrites = new ConcurrentLinkedQueue<>();
    private final Map<String, LateWrite> beforeNext = new ConcurrentHashMap<>();
    private final LongAdder counterCommands = new LongAdder();
    private final LongAdder countersWritten = new LongAdder();
    private final AtomicInteger largestAnswer = new AtomicInteger();
    private final LongAdder counterConflicts = new LongAdder();
    private volatile Document greeting = new Document();
    private MongoServer server;

    /** What the server says instead of doing a command. */
    private record Refusal(int code, String name) {}

    /** The next write of counters by one instance: its connection is cut, and the server does it later. */
    public final class LateWrite {

        private final String instance;
        private volatile @Nullable Runnable write;

        private LateWrite(String instance) {
            this.instance = instance;
        }

        private boolean concerns(String command, Document query) {
            return command.equals("update") && String.valueOf(query).contains("!sender:" + instance);
        }

        /** Whether the connection was cut. */
        public boolean isCut() {
            return write != null;
        }

        /** The server does it now, if its connection was cut; otherwise it is not cut any more. */
        public void land() {
            lateWrites.remove(this);
            Runnable held = write;
            if (held != null) {
                held.run();
            }
        }

        /** The server does it just before the next write of counters by the same instance. */
        public void landBeforeTheNext() {
            beforeNext.put(instance, this);
        }
    }

    /** Looks at commands before they are done. */
    private final class Attentive extends MemoryBackend {

        Attentive(Clock clock) {
            super(clock);
        }

        @Override
        public Document handleCommand(Channel channel, String database, String command, Document query) {
            latest.put(command, query);
            LateWrite late = lateWrites.stream()
                    .filter(one -> one.concerns(command, query))
                    .findFirst()
                    .orElse(null);
            if (late != null && lateWrites.remove(late)) {
                late.write = () -> super.handleCommand(new EmbeddedChannel(), database, command, query);
                var unused = channel.close();
                return new Document("ok", 1); // nobody receives it
            }
            beforeNext.values().removeIf(one -> {
                boolean isNext = one.concerns(command, query);
                if (isNext) {
                    one.land();
                }
                return isNext;
            });
            Refusal refusal = refusals.get(command);
            if (refusal != null) {
                throw new MongoServerError(refusal.code, refusal.name, "not here, says the test");
            }
            if (command.equals("createIndexes") && isOfCounters(command, query)) {
                super.handleCommand(channel, database, command, indexOfWrites());
            }
            Document answer = super.handleCommand(channel, database, command, query);
            count(command, query, answer);
            largestAnswer.accumulateAndGet(answer.toString().length(), Math::max);
            if (command.toLowerCase(Locale.ROOT).equals("ismaster")) {
                answer.putAll(greeting);
            }
            return answer;
        }
    }

    private static boolean isOfCounters(String command, Document query) {
        return CounterDocuments.NAME.equals(command.equals("getMore") ? query.get("collection") : query.get(command));
    }

    private void count(String command, Document query, Document answer) {
        if (isOfCounters(command, query)) {
            counterCommands.increment();
            if (command.equals("update")) {
                int written = ((Number) answer.get("n")).intValue();
                countersWritten.add(written);
                counterConflicts.add(((Collection<?>) query.get("updates")).size() - written);
            }
        }
    }

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
        MongoServer started = new MongoServer(new Attentive(clock));
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

    /** The same for a machine that is starved of CPU: an exchange may take long. */
    public String patientUri() {
        return uri() + "?timeoutMS=20000";
    }

    /** How many commands on the documents of counters have been done. */
    public long counterCommands() {
        return counterCommands.sum();
    }

    /** How many documents of counters have been written. */
    public long countersWritten() {
        return countersWritten.sum();
    }

    /** How many writes of such documents were refused, since another instance was first. */
    public long counterConflicts() {
        return counterConflicts.sum();
    }

    /** About how many characters the largest answer had. */
    public int largestAnswer() {
        return largestAnswer.get();
    }

    /** The latest of these commands. */
    public Document latest(String command) {
        return latest.get(command);
    }

    /** Cuts the connection of the next write of counters by this instance, which the server does later. */
    public LateWrite delayNextWrite(String instance) {
        LateWrite late = new LateWrite(instance);
        lateWrites.add(late);
        return late;
    }

    /** Refuses this command from now on. */
    public void refuse(String command, int code, String name) {
        refusals.put(command, new Refusal(code, name));
    }

    /** Says this of itself from now on, beside what it says otherwise. */
    public void greet(String field, Object value) {
        greeting = new Document(greeting).append(field, value);
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
