package dev.sluice.internal.limiter.replay;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One step of a game.
 *
 * @param op what happened, as {@code spec/Replay.tla} names it
 * @param values its figures
 * @param words the same for people
 */
record TraceLine(String op, Map<String, Object> values, String words) {

    boolean isOf(String otherOp, String instance) {
        return op.equals(otherOp) && instance.equals(values.get("i"));
    }

    /** As a record of TLA+. */
    String text() {
        String fields = values.entrySet().stream()
                .map(entry -> ", " + entry.getKey() + " |-> " + text(entry.getValue()))
                .collect(Collectors.joining());
        return "[op |-> \"" + op + "\"" + fields + "]";
    }

    private static String text(Object value) {
        if (value instanceof String word) {
            return '"' + word + '"';
        }
        if (value instanceof Boolean claim) {
            return claim ? "TRUE" : "FALSE";
        }
        if (value instanceof Collection<?> set) {
            return set.stream().map(TraceLine::text).sorted().collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof Map<?, ?> map) {
            boolean isRecord = map.keySet().iterator().next() instanceof String;
            return map.entrySet().stream()
                    .map(entry ->
                            (isRecord ? entry.getKey() + " |-> " : entry.getKey() + " :> ") + text(entry.getValue()))
                    .collect(Collectors.joining(isRecord ? ", " : " @@ ", isRecord ? "[" : "(", isRecord ? "]" : ")"));
        }
        return String.valueOf(value);
    }
}
