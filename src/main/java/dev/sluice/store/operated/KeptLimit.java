package dev.sluice.store.operated;

import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource.Kept;
import dev.sluice.limits.OverrideNote;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A limit of one client as a store keeps it: with when it was set, by whom and why, and until when it holds.
 *
 * @param limit what holds
 * @param untilMillis when it ends, in milliseconds since 1970 by the clock of the store; 0 if it does not by itself
 * @param setMillis when it was set, likewise; 0 if that is not known
 * @param by who set it; empty if that is not known
 * @param why as whoever set it gave the reason; empty if there was none
 */
public record KeptLimit(ClientOverride limit, long untilMillis, long setMillis, String by, String why) {

    private static final int PARTS = 3;
    private static final int NOTES = 5;
    private static final int LONGEST = 200;

    /**
     * What is told of a limit when it is set.
     *
     * @param lasts for how long it holds; zero for as long as nobody removes it
     */
    public record Note(Duration lasts, String by, String why) {

        /** A limit that holds until it is removed, of which nobody says who set it. */
        public static final Note NONE = new Note(Duration.ZERO, "", "");

        /** Both are on one line and short, and what stands between them in a store stands in no name. */
        public Note {
            by = line(by).replace('|', '/');
            why = line(why);
        }

        private static String line(String text) {
            String line = text.strip().replaceAll("\\p{Cntrl}+", " ");
            return line.length() <= LONGEST ? line : line.substring(0, LONGEST);
        }
    }

    /** The same as instances follow it. */
    public static Kept kept(String version, List<KeptLimit> all, long nowMillis) {
        Map<ClientOverride, OverrideNote> notes = new HashMap<>();
        all.forEach(one -> notes.put(one.limit, new OverrideNote(one.setMillis, one.untilMillis, one.by, one.why)));
        return new Kept(version, all.stream().map(KeptLimit::limit).toList(), notes, nowMillis);
    }

    /** The name of a limit among those that are kept: no two have the same. */
    public static String field(ClientOverride limit) {
        return limit.subject() + '|' + limit.endpoint() + '|' + limit.value();
    }

    /** What stands there, as one text. Whatever somebody else has written there is a limit too, that may make no sense. */
    public static KeptLimit of(String field, String value) {
        String[] parts = field.split("\\|", PARTS);
        String[] notes = value.split("\\|", NOTES);
        ClientOverride limit = parts.length == PARTS
                ? new ClientOverride(parts[0], parts[2], parts[1], notes[0])
                : new ClientOverride(field, "", "", notes[0]);
        return new KeptLimit(limit, millis(notes, 1), millis(notes, 2), text(notes, 3), text(notes, 4));
    }

    private static String text(String[] notes, int place) {
        return place < notes.length ? notes[place] : "";
    }

    private static long millis(String[] notes, int place) {
        String text = text(notes, place);
        return text.matches("\\d{1,15}") ? Long.parseLong(text) : 0;
    }
}
