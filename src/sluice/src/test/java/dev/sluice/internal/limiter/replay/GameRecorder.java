package dev.sluice.internal.limiter.replay;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.internal.limiter.simulation.EventLoop;
import dev.sluice.internal.limiter.simulation.FleetObserver;
import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import dev.sluice.internal.limiter.simulation.SimulatedInstance;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Writes down what can be seen of one counter of a game, one line a step, in the order of the steps: what calls get,
 * what instances say and hear, what the store answers. It knows nothing of the rules.
 *
 * <p>Windows are numbered from 1, and batches of each instance too, without those that do not mention the counter. A
 * lease that ends, and a window that ends for an instance without calls, are written down when they begin to matter.
 */
final class GameRecorder implements FleetObserver {

    /** For this long after its end, a window stays open for calls that found it before. */
    private static final long CLOSES_MILLIS = 100;

    private final long periodMillis;
    private final List<TraceLine> lines = new ArrayList<>();
    private final Map<String, Known> instances = new LinkedHashMap<>();
    /** Who holds permits of a window, until when. */
    private final Map<Integer, Map<String, Holding>> holdings = new TreeMap<>();
    /** Who was told what, since the last batch arrived. */
    private final Map<Topic, Set<String>> told = new LinkedHashMap<>();

    private long firstStart = -1;
    private int window = 1;
    private long mostWanted;
    private boolean wasUnavailable;

    private record Holding(long permits, long untilMillis) {}

    /** What news are about. */
    private record Topic(News.Kind kind, int window) {}

    /** A batch, as it is numbered here. */
    private record Sent(Batch batch, int number, Map<Integer, Statement> statements) {}

    /** What was seen of one instance. */
    private static final class Known {
        private int pool = 1;
        private int batches;
        private int waiting;
        /** The batch in flight; {@code null} if there is none, or if it does not mention the counter. */
        private Sent sent;

        private long lastSequence;
        private int arrived;
        private boolean isAtStore;
        /** The calls that stopped waiting in the present step. */
        private int passed;

        private int refused;
        /** The news that have reached it, and that it has not read. */
        private final Deque<News> news = new ArrayDeque<>();
        /** How many news are on their way, or unread. */
        private final Map<Topic, Integer> toRead = new LinkedHashMap<>();
    }

    private LongSupplier nanos = () -> SimulatedFleet.START_NANOS;

    GameRecorder(long periodMillis) {
        this.periodMillis = periodMillis;
    }

    /** From now on, lines have the time of this loop. */
    void follow(EventLoop loop) {
        nanos = loop::nanos;
    }

    /** The lines, once the game is over. */
    List<TraceLine> lines() {
        return List.copyOf(lines);
    }

    int windows() {
        return window;
    }

    /** Whether an instance holds permits of the present window, as far as the store knows. */
    boolean isHolder(SimulatedInstance instance) {
        Holding holding = holdings.getOrDefault(window, Map.of()).get(instance.name);
        return holding != null && holding.permits > 0;
    }

    long mostWanted() {
        return mostWanted;
    }

    /** Whether the store counted as unavailable at some time: the model has no outages. */
    boolean wasUnavailable() {
        return wasUnavailable;
    }

    private Known of(SimulatedInstance instance) {
        return instances.computeIfAbsent(instance.name, name -> new Known());
    }

    private void add(String op, SimulatedInstance instance, Map<String, Object> values, String words) {
        add(op, instance.name, values, words);
    }

    private void add(String op, String instance, Map<String, Object> values, String words) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("i", instance);
        all.putAll(values);
        double millis = (nanos.getAsLong() - SimulatedFleet.START_NANOS) / 1e6;
        lines.add(new TraceLine(op, all, "at %.3f ms %s %s".formatted(millis, instance, words)));
    }

    // ---- Windows

    private int windowAt(long millis) {
        long start = Math.floorDiv(millis, periodMillis) * periodMillis;
        firstStart = firstStart < 0 ? start : firstStart;
        return (int) ((start - firstStart) / periodMillis) + 1;
    }

    private void open(SimulatedInstance instance, int number) {
        Known known = of(instance);
        while (window < number) {
            window++;
            lines.add(new TraceLine("turn", Map.of(), "window %d begins".formatted(window)));
        }
        if (known.pool < number) {
            known.pool = number;
            add("open", instance, Map.of(), "opens window " + number);
        }
    }

    /** Windows close some time after their end, whether or not a call comes. */
    private void closeOver(SimulatedInstance instance) {
        if (firstStart >= 0) {
            open(instance, Math.max(of(instance).pool, windowAt(instance.storeMillis() - CLOSES_MILLIS)));
        }
    }

    // ---- Calls

    @Override
    public void decidedAtOnce(SimulatedInstance instance, boolean isAdmitted) {
        flush(instance);
        open(instance, windowAt(instance.storeMillis()));
        if (isAdmitted) {
            admit(instance, 1);
        } else {
            add("refuse", instance, Map.of(), "refuses a call at once");
        }
    }

    /** Calls in a row become one line. */
    private void admit(SimulatedInstance instance, int calls) {
        TraceLine last = lines.isEmpty() ? null : lines.get(lines.size() - 1);
        int before = 0;
        if (last != null && last.isOf("admit", instance.name)) {
            before = (int) last.values().get("calls");
            lines.remove(lines.size() - 1);
        }
        int all = before + calls;
        add("admit", instance, Map.of("calls", all), "admits %d calls from its permits".formatted(all));
    }

    @Override
    public void waits(SimulatedInstance instance) {
        flush(instance);
        open(instance, windowAt(instance.storeMillis()));
        of(instance).waiting++;
        add("wait", instance, Map.of(), "lets a call wait");
    }

    @Override
    public void waited(SimulatedInstance instance, boolean isAdmitted) {
        Known known = of(instance);
        known.waiting--;
        if (isAdmitted) {
            known.passed++;
        } else {
            known.refused++;
        }
    }

    /** Calls that stopped waiting without an answer of the store. */
    private void flush(SimulatedInstance instance) {
        Known known = of(instance);
        int gone = known.passed + known.refused;
        int passed = known.passed;
        known.passed = 0;
        known.refused = 0;
        if (gone > 0) {
            add("leave", instance, Map.of("calls", gone), "no longer lets %d calls wait".formatted(gone));
        }
        if (passed > 0) {
            open(instance, windowAt(instance.storeMillis()));
            admit(instance, passed);
        }
    }

    @Override
    public void stepped(SimulatedInstance instance) {
        flush(instance);
        readFreed(instance);
    }

    // ---- Messages

    @Override
    public void sent(SimulatedInstance instance, Batch batch) {
        flush(instance);
        readFreed(instance);
        Known known = of(instance);
        if (batch.sequence() == known.lastSequence) {
            if (known.sent != null) {
                known.isAtStore = false;
                add("resend", instance, Map.of(), "sends batch %d again".formatted(known.sent.number));
            }
            return;
        }
        known.lastSequence = batch.sequence();
        closeOver(instance);
        Map<Integer, Statement> statements = new TreeMap<>();
        for (Statement statement : batch.statements()) {
            int number = windowAt(statement.key().start());
            open(instance, number);
            statements.put(number, statement);
            mostWanted = Math.max(mostWanted, statement.wanted());
        }
        known.sent = null;
        if (!statements.isEmpty()) {
            known.sent = new Sent(batch, ++known.batches, statements);
            known.isAtStore = false;
            add(
                    "send",
                    instance,
                    Map.of("batch", known.batches, "statements", perWindow(statements, GameRecorder::said)),
                    "sends batch %d: %s".formatted(known.batches, said(statements)));
        }
    }

    private static <T> Map<Integer, Object> perWindow(Map<Integer, T> values, Function<T, Object> what) {
        Map<Integer, Object> all = new TreeMap<>();
        values.forEach((number, value) -> all.put(number, what.apply(value)));
        return all;
    }

    private static Map<String, Object> said(Statement statement) {
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("used", statement.used());
        said.put("held", statement.held());
        said.put("needed", statement.needed().all());
        said.put("wanted", statement.wanted());
        return said;
    }

    private static String said(Map<Integer, Statement> statements) {
        return statements.entrySet().stream()
                .map(entry -> "of window %d used %d, holds %d, needs %d, wants %d"
                        .formatted(
                                entry.getKey(),
                                entry.getValue().used(),
                                entry.getValue().held(),
                                entry.getValue().needed().all(),
                                entry.getValue().wanted()))
                .collect(Collectors.joining("; "));
    }

    @Override
    public void lost(SimulatedInstance instance) {
        Known known = of(instance);
        if (known.sent != null) {
            String what = known.isAtStore ? "answer" : "batch";
            add("lose", instance, Map.of("what", what), "loses the %s %d".formatted(what, known.sent.number));
        }
    }

    @Override
    public void told(SimulatedInstance instance, News news) {
        for (Topic topic : topicsOf(news)) {
            told.computeIfAbsent(topic, any -> new HashSet<>()).add(instance.name);
            of(instance).toRead.merge(topic, 1, Integer::sum);
        }
    }

    private List<Topic> topicsOf(News news) {
        return news.keys().stream()
                .map(text -> text.split(":"))
                .map(words -> new Topic(news.kind(), windowAt(Long.parseLong(words[words.length - 2]))))
                .toList();
    }

    private Set<String> toldOf(News.Kind kind, int number) {
        return told.getOrDefault(new Topic(kind, number), Set.of());
    }

    @Override
    public void arrived(SimulatedInstance instance, Batch batch, Batch.Reply reply) {
        Known known = of(instance);
        Sent sent = known.sent;
        if (sent == null) {
            told.clear();
            return;
        }
        known.isAtStore = true;
        Map<Integer, Grant> grants = new TreeMap<>();
        for (int i = 0; i < batch.statements().size(); i++) {
            grants.put(
                    windowAt(batch.statements().get(i).key().start()),
                    reply.grants().get(i));
        }
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("batch", sent.number);
        values.put("grants", granted(sent.statements, grants));
        boolean isRepeated = sent.number == known.arrived;
        if (isRepeated && reply.appliedMillis() == reply.nowMillis()) {
            forget(instance, sent.number);
        } else if (isRepeated) {
            add("repeat", instance, values, "is answered again to batch " + sent.number);
            return;
        }
        known.arrived = sent.number;
        Map<Integer, Object> recalled = new TreeMap<>();
        Map<Integer, Object> freed = new TreeMap<>();
        grants.forEach((number, grant) -> {
            lapse(number, instance.name, reply.nowMillis());
            Statement statement = sent.statements.get(number);
            long kept = statement.held() + grant.granted() - atOnce(statement, grant);
            holdings.computeIfAbsent(number, any -> new TreeMap<>())
                    .put(instance.name, new Holding(kept, reply.nowMillis() + statement.leaseMillis()));
            recalled.put(number, toldOf(News.Kind.RECALLED, number));
            freed.put(number, toldOf(News.Kind.FREED, number));
        });
        values.put("recalled", recalled);
        values.put("freed", freed);
        add("apply", instance, values, "is answered to batch %d: %s".formatted(sent.number, answer(sent, grants)));
        told.clear();
    }

    /** Redis keeps no record of a batch that has changed nothing, and applies it anew. */
    private void forget(SimulatedInstance instance, int number) {
        lines.removeIf(line ->
                line.isOf("apply", instance.name) && line.values().get("batch").equals(number));
    }

    private String answer(Sent sent, Map<Integer, Grant> grants) {
        return grants.entrySet().stream()
                .map(entry -> "of window %d granted %d (%d at once), elsewhere %d, total %d%s"
                        .formatted(
                                entry.getKey(),
                                entry.getValue().granted(),
                                atOnce(sent.statements.get(entry.getKey()), entry.getValue()),
                                entry.getValue().elsewhere(),
                                entry.getValue().total(),
                                recalls(toldOf(News.Kind.RECALLED, entry.getKey()))))
                .collect(Collectors.joining("; "));
    }

    private static String recalls(Set<String> holders) {
        return holders.isEmpty() ? "" : ", recalled from " + String.join(" and ", holders);
    }

    private static long atOnce(Statement statement, Grant grant) {
        return statement.needed().usedOf(grant.granted());
    }

    private static Map<Integer, Object> granted(Map<Integer, Statement> statements, Map<Integer, Grant> grants) {
        Map<Integer, Object> all = new TreeMap<>();
        grants.forEach((number, grant) -> {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("granted", grant.granted());
            one.put("atOnce", atOnce(statements.get(number), grant));
            one.put("elsewhere", grant.elsewhere());
            one.put("total", grant.total());
            all.put(number, one);
        });
        return all;
    }

    /** Before the store applies a statement, leases of other instances end whose time is over. */
    private void lapse(int number, String sender, long nowMillis) {
        Map<String, Holding> held = holdings.getOrDefault(number, Map.of());
        for (Map.Entry<String, Holding> one : held.entrySet()) {
            if (!one.getKey().equals(sender) && isOver(one.getValue(), nowMillis)) {
                lapsed(one.getKey(), number);
                one.setValue(new Holding(0, 0));
            }
        }
    }

    private static boolean isOver(Holding holding, long nowMillis) {
        return holding.permits > 0 && holding.untilMillis <= nowMillis;
    }

    private void lapsed(String holder, int number) {
        add(
                "lapse",
                holder,
                Map.of("window", number),
                "has not been heard: its lease of window %d ends".formatted(number));
    }

    @Override
    public void answered(SimulatedInstance instance) {
        Known known = of(instance);
        Sent sent = known.sent;
        if (sent == null) {
            return;
        }
        known.sent = null;
        int passed = 0;
        int refused = 0;
        if (sent.statements.containsKey(known.pool)) {
            passed = known.passed;
            refused = known.refused;
            known.passed = 0;
            known.refused = 0;
        }
        add(
                "answer",
                instance,
                Map.of("batch", sent.number, "admitted", passed, "refused", refused),
                "hears the answer to batch %d, admits %d waiting calls and refuses %d"
                        .formatted(sent.number, passed, refused));
        flush(instance);
        add("stay", instance, Map.of("calls", known.waiting), "still lets %d calls wait".formatted(known.waiting));
    }

    @Override
    public void delivered(SimulatedInstance instance, News news) {
        of(instance).news.add(news);
    }

    @Override
    public void recalled(SimulatedInstance instance) {
        flush(instance);
        readFreed(instance);
        read(instance, of(instance).news.remove());
    }

    /** A step reads all news that have arrived before, but only of recalls it says so. */
    private void readFreed(SimulatedInstance instance) {
        Deque<News> news = of(instance).news;
        while (!news.isEmpty() && news.element().kind() == News.Kind.FREED) {
            read(instance, news.remove());
        }
    }

    private void read(SimulatedInstance instance, News news) {
        for (Topic topic : topicsOf(news)) {
            String kind = topic.kind.name().toLowerCase(Locale.ROOT);
            Map<String, Object> values = Map.of("window", topic.window, "kind", kind);
            add("hear", instance, values, "hears that permits of window %d are %s".formatted(topic.window, kind));
            if (of(instance).toRead.merge(topic, -1, Integer::sum) > 0) {
                add("again", instance, values, "will hear that once more");
            }
        }
    }

    @Override
    public void undelivered(SimulatedInstance instance, News news) {
        topicsOf(news).forEach(topic -> of(instance).toRead.merge(topic, -1, Integer::sum));
    }

    // ---- Instances

    @Override
    public void storeIsUnavailable(SimulatedInstance instance) {
        wasUnavailable = true;
    }

    @Override
    public void died(SimulatedInstance instance) {
        flush(instance);
        add("kill", instance, Map.of(), "is killed");
    }
}
