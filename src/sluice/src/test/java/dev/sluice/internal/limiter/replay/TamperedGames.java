package dev.sluice.internal.limiter.replay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Games in which one line is false, so that the model checker must refuse it. */
final class TamperedGames {

    private static final long MANY = 1_000;

    /** What is not true, by the kind of line. */
    private static final List<Lie> LIES = List.of(
            new Lie("admit", "admits calls without permits", line -> plus(line, "calls", (int) MANY)),
            new Lie("wait", "refuses a call early", line -> new TraceLine("refuse", line.values(), line.words())),
            new Lie("send", "reports a call too few", line -> inWindow(line, "statements", "used", -1, 1)),
            new Lie("send", "holds more than it was granted", line -> inWindow(line, "statements", "held", MANY, 0)),
            new Lie("send", "needs permits for nobody", line -> inWindow(line, "statements", "needed", 1, 0)),
            new Lie("apply", "is granted one too many", line -> inWindow(line, "grants", "granted", 1, 1)),
            new Lie("apply", "is granted one too few", line -> inWindow(line, "grants", "granted", -1, 1)),
            new Lie("apply", "does not hear of other holders", line -> inWindow(line, "grants", "elsewhere", -1, 1)),
            new Lie("apply", "hears a total without its own calls", line -> inWindow(line, "grants", "total", -1, 1)),
            new Lie("repeat", "is granted the same again", TamperedGames::asIfNew),
            new Lie("answer", "admits one too many", line -> plus(line, "admitted", 1)),
            new Lie("hear", "hears what nobody told", line -> recallOf(line, "i5")),
            new Lie("lapse", "lapses without a lease", line -> by(line, "i5")));

    private record Lie(String op, String what, Function<TraceLine, @Nullable TraceLine> telling) {}

    /**
     * One game up to a line that is not true.
     *
     * @param what what the line says wrongly
     */
    record Tampered(String what, List<TraceLine> lines) {}

    private TamperedGames() {}

    /** For each kind of false line, the first of these games in which a line can be falsified so. */
    static List<Tampered> of(List<RecordedGame> games) {
        return LIES.stream().map(lie -> of(lie, games)).toList();
    }

    private static Tampered of(Lie lie, List<RecordedGame> games) {
        return games.stream()
                .flatMap(game -> tampered(lie, game.lines()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no game has a line where it " + lie.what));
    }

    private static Stream<Tampered> tampered(Lie lie, List<TraceLine> lines) {
        for (int i = 0; i < lines.size(); i++) {
            TraceLine untrue = lines.get(i).op().equals(lie.op) ? lie.telling.apply(lines.get(i)) : null;
            if (untrue != null) {
                List<TraceLine> all = new ArrayList<>(lines.subList(0, i));
                all.add(new TraceLine(untrue.op(), untrue.values(), lie.what + ", not: " + untrue.words()));
                return Stream.of(new Tampered(lie.what, all));
            }
        }
        return Stream.of();
    }

    private static TraceLine with(TraceLine line, String name, Object value) {
        Map<String, Object> values = new LinkedHashMap<>(line.values());
        values.put(name, value);
        return new TraceLine(line.op(), values, line.words());
    }

    private static TraceLine by(TraceLine line, String instance) {
        return with(line, "i", instance);
    }

    private static @Nullable TraceLine recallOf(TraceLine line, String instance) {
        return "recalled".equals(line.values().get("kind")) ? by(line, instance) : null;
    }

    private static TraceLine plus(TraceLine line, String name, int more) {
        return with(line, name, (int) line.values().get(name) + more);
    }

    /** Another figure of the first window; {@code null} if it is smaller than this. */
    private static @Nullable TraceLine inWindow(TraceLine line, String name, String figure, long more, long least) {
        Map<Object, Object> windows =
                new LinkedHashMap<>((Map<?, ?>) line.values().get(name));
        Object window = windows.keySet().iterator().next();
        Map<Object, Object> figures = new LinkedHashMap<>((Map<?, ?>) windows.get(window));
        long before = (long) figures.get(figure);
        figures.put(figure, before + more);
        windows.put(window, figures);
        return before < least ? null : with(line, name, windows);
    }

    private static TraceLine asIfNew(TraceLine line) {
        Map<Object, Object> nobody =
                new LinkedHashMap<>((Map<?, ?>) line.values().get("grants"));
        nobody.replaceAll((window, grant) -> Set.of());
        TraceLine untold = with(with(line, "recalled", nobody), "freed", nobody);
        return new TraceLine("apply", untold.values(), line.words());
    }
}
