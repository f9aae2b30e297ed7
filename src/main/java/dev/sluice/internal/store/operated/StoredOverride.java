package dev.sluice.internal.store.operated;

import dev.sluice.OverrideChange;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import dev.sluice.limits.OverrideNote;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A limit of one client as a store keeps it, with when, by whom and why it was set, and until when it holds.
 *
 * @param limit the limit
 * @param untilMillis when it ends, in milliseconds since 1970 by the store's clock; 0 if it has no end
 * @param setMillis when it was set, likewise; 0 if unknown
 * @param by who set it; empty if unknown
 * @param why the reason given; empty if there was none
 */
public record StoredOverride(ClientOverride limit, long untilMillis, long setMillis, String by, String why) {

    /**
     * The most bytes of a limit in a store, and of its name. Those that can be set are shorter. A store never reads a
     * longer one, which somebody else has put there: it hands on that there is one.
     */
    public static final int LONGEST = 4096;

    /** The most bytes of all limits together. */
    public static final long MOST_BYTES = 1 << 25;

    private static final int PARTS = 3;
    private static final int NOTES = 5;
    private static final int LONGEST_NOTE = 200;

    /**
     * The notes for a limit that is set.
     *
     * @param lasts how long it holds; zero until it is removed
     */
    public record Note(Duration lasts, String by, String why) {

        /** For a limit that holds until it is removed, set by nobody in particular. */
        public static final Note NONE = new Note(Duration.ZERO, "", "");

        /** Both texts become one short line; the name cannot contain the separator. */
        public Note {
            by = line(by).replace('|', '/');
            why = line(why);
        }

        private static String line(String text) {
            String line = text.strip().replaceAll("\\p{Cntrl}+", " ");
            return line.length() <= LONGEST_NOTE ? line : line.substring(0, LONGEST_NOTE);
        }
    }

    /** Converts limits to the form that instances use. */
    public static Overrides overrides(String version, List<StoredOverride> all, long nowMillis) {
        Map<ClientOverride, OverrideNote> notes = new HashMap<>();
        all.forEach(one -> notes.put(one.limit, new OverrideNote(one.setMillis, one.untilMillis, one.by, one.why)));
        return new Overrides(version, all.stream().map(StoredOverride::limit).toList(), notes, nowMillis);
    }

    /** A change that is made now, for the history: a limit without tiers is removed. */
    public static StoredOverride changed(ClientOverride limit, Note note, long nowMillis) {
        long until = note.lasts.isZero() ? 0 : nowMillis + note.lasts.toMillis();
        return new StoredOverride(limit, until, nowMillis, note.by, note.why);
    }

    /** This as a change, for listeners and operators. */
    public OverrideChange asChange() {
        return new OverrideChange(
                limit.subject(), limit.value(), limit.endpoint(), limit.tiers(), setMillis, untilMillis, by, why);
    }

    /** The unique name of a limit in a store. */
    public static String field(ClientOverride limit) {
        return limit.subject() + '|' + limit.endpoint() + '|' + limit.value();
    }

    /** Parses a stored limit. A text that somebody else wrote there is a limit too, though it may not be valid. */
    public static StoredOverride of(String field, String value) {
        String[] parts = field.split("\\|", PARTS);
        String[] notes = value.split("\\|", NOTES);
        ClientOverride limit = parts.length == PARTS
                ? new ClientOverride(parts[0], parts[2], parts[1], notes[0])
                : new ClientOverride(field, "", "", notes[0]);
        return new StoredOverride(limit, millis(notes, 1), millis(notes, 2), text(notes, 3), text(notes, 4));
    }

    /** A limit that was not read; why stands in place of the tiers, also where operators see it. */
    public static StoredOverride unread(String field, String why) {
        return of(field, "(" + why.replace('|', '/') + ")");
    }

    /** Why a limit was not read, in brackets; empty if it was. */
    public static String whyUnread(ClientOverride limit) {
        return limit.tiers().startsWith("(") ? limit.tiers() : "";
    }

    private static String text(String[] notes, int place) {
        return place < notes.length ? notes[place] : "";
    }

    private static long millis(String[] notes, int place) {
        String text = text(notes, place);
        return text.matches("\\d{1,15}") ? Long.parseLong(text) : 0;
    }
}
