package dev.sluice.internal.store.admin;

import dev.sluice.OverrideChange;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import dev.sluice.limits.OverrideNote;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A client override in a store, with its expiry time and a note about when, by whom and why it was set.
 *
 * @param limit the override
 * @param untilMillis when the override expires, in milliseconds since 1970 by the store's clock; 0 if it does not
 *     expire
 * @param setMillis when the override was set, by the same clock; 0 if unknown
 * @param by the person who set the override; empty if unknown
 * @param why the reason stated by that person; empty if none was stated
 */
public record StoredOverride(ClientOverride limit, long untilMillis, long setMillis, String by, String why) {

    /**
     * The maximum number of bytes in a stored override, and also in its name. Sluice never exceeds this maximum, so
     * another program must have written any longer override. The store does not read such an override and only reports
     * its existence.
     */
    public static final int LONGEST = 4096;

    /** The maximum total number of bytes in all overrides. */
    public static final long MOST_BYTES = 1 << 25;

    /**
     * The prefix of the text that replaces the tiers in the history entry for a reset, for example
     * {@code reset 60 in 10s}.
     */
    public static final String RESET = "reset ";

    /**
     * The prefix of the text that replaces the tiers in the history entry for a gift, for example
     * {@code give 50 in 10s}.
     */
    public static final String GIVE = "give ";

    private static final int PARTS = 3;
    private static final int NOTES = 5;
    private static final int LONGEST_NOTE = 200;

    /**
     * The details that an operator provides when setting an override.
     *
     * @param lasts how long the override applies; zero if it applies until it is removed
     */
    public record Note(Duration lasts, String by, String why) {

        /** A note without an author or reason, for an override that applies until it is removed. */
        public static final Note NONE = new Note(Duration.ZERO, "", "");

        /** Shortens the author's name and the reason to one line each, and removes the separator from the name. */
        public Note {
            by = line(by).replace('|', '/');
            why = line(why);
        }

        private static String line(String text) {
            String line = text.strip().replaceAll("\\p{Cntrl}+", " ");
            return line.length() <= LONGEST_NOTE ? line : line.substring(0, LONGEST_NOTE);
        }
    }

    /** Converts stored overrides to the form that instances use. */
    public static Overrides overrides(String version, List<StoredOverride> all, long nowMillis) {
        Map<ClientOverride, OverrideNote> notes = new HashMap<>();
        all.forEach(one -> notes.put(one.limit, new OverrideNote(one.setMillis, one.untilMillis, one.by, one.why)));
        return new Overrides(version, all.stream().map(StoredOverride::limit).toList(), notes, nowMillis);
    }

    /** Creates a history entry for a change made now. If the override has no tiers, the entry records its removal. */
    public static StoredOverride changed(ClientOverride limit, Note note, long nowMillis) {
        long until = note.lasts.isZero() ? 0 : nowMillis + note.lasts.toMillis();
        return new StoredOverride(limit, until, nowMillis, note.by, note.why);
    }

    /** Converts this override to a change, for listeners and operators. */
    public OverrideChange asChange() {
        return new OverrideChange(
                limit.subject(), limit.value(), limit.endpoint(), limit.tiers(), setMillis, untilMillis, by, why);
    }

    /** The unique name of an override within a store. */
    public static String field(ClientOverride limit) {
        return limit.subject() + '|' + limit.endpoint() + '|' + limit.value();
    }

    /**
     * Parses a stored override. Accepts any text, because another program might have written it. The result is not
     * validated.
     */
    public static StoredOverride of(String field, String value) {
        String[] parts = field.split("\\|", PARTS);
        String[] notes = value.split("\\|", NOTES);
        ClientOverride limit = parts.length == PARTS
                ? new ClientOverride(parts[0], parts[2], parts[1], notes[0])
                : new ClientOverride(field, "", "", notes[0]);
        return new StoredOverride(limit, millis(notes, 1), millis(notes, 2), text(notes, 3), text(notes, 4));
    }

    /**
     * Creates a placeholder for an override that was not read. The reason for this replaces the tiers, so that
     * operators see it.
     */
    public static StoredOverride unread(String field, String why) {
        return of(field, "(" + why.replace('|', '/') + ")");
    }

    /** The reason why an override was not read, in brackets; empty if it was read. */
    public static String whyUnread(ClientOverride limit) {
        return limit.tiers().startsWith("(") ? limit.tiers() : "";
    }

    private static String text(String[] notes, int index) {
        return index < notes.length ? notes[index] : "";
    }

    private static long millis(String[] notes, int index) {
        String text = text(notes, index);
        return text.matches("\\d{1,15}") ? Long.parseLong(text) : 0;
    }
}
