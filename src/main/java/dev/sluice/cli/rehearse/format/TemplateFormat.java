package dev.sluice.cli.rehearse.format;

import dev.sluice.cli.rehearse.call.ByteSpan;
import dev.sluice.cli.rehearse.call.ExtraFields;
import dev.sluice.cli.rehearse.call.LoggedCall;
import dev.sluice.cli.rehearse.format.Field.Kind;
import dev.sluice.cli.rehearse.format.LineTemplate.Part;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Lines of text with fields between fixed pieces, as nginx, Apache and load balancers write them. Not thread-safe. */
final class TemplateFormat implements LineFormat {

    private final String name;
    private final boolean allowsMore;
    private final byte[] before;
    private final Piece[] pieces;
    /** Where each field begins and ends in the current line. */
    private final int[] spans;

    private final int extras;
    /** How many pieces to read: all, or up to the last that matters if lines may have more. */
    private final int needed;

    private final LineFields fields;

    /** A field, and the text after it. */
    private static final class Piece {
        private final Field field;
        /** Its index among the extra values, if it is one. */
        private final int extra;

        private final byte[] after;
        private final boolean isQuoted;

        private Piece(Part part, Field field, int extra) {
            this.field = field;
            this.extra = extra;
            this.after = bytes(part.after());
            this.isQuoted = part.isQuoted();
        }
    }

    /**
     * Makes the reader of a template.
     *
     * @param allowsMore whether lines may have more after the last field
     * @param named the values of {@code --field}: names, each with its variable
     * @param wanted which headers the limits may need
     */
    TemplateFormat(
            String name,
            LineTemplate template,
            boolean allowsMore,
            Map<String, String> named,
            Predicate<String> wanted,
            List<ExtraFields> fieldNames) {
        this.name = name;
        this.allowsMore = allowsMore;
        this.before = bytes(template.before());
        this.pieces = new Piece[template.parts().size()];
        this.spans = new int[2 * pieces.length];
        List<String> names = new ArrayList<>();
        for (int i = 0; i < pieces.length; i++) {
            Part part = template.parts().get(i);
            Field field = meant(part.field(), named).ifWanted(wanted);
            pieces[i] = new Piece(part, field, names.size());
            if (field.kind() == Kind.EXTRA) {
                names.add(field.name());
            }
        }
        this.extras = names.size();
        this.needed = allowsMore ? lastThatMatters() + 1 : pieces.length;
        this.fields = new LineFields(fieldNames, new ExtraFields(List.copyOf(names)), true);
    }

    /** The field for a variable: from {@code --field}, or the variable itself if it is a header or a cookie. */
    private static Field meant(Field field, Map<String, String> named) {
        if (field.kind() != Kind.EXTRA) {
            return field;
        }
        String variable = field.name();
        String bare = variable.startsWith("$") ? variable.substring(1) : variable;
        for (Map.Entry<String, String> one : named.entrySet()) {
            String asked = one.getValue().startsWith("$") ? one.getValue().substring(1) : one.getValue();
            if (asked.equals(bare)
                    || (asked.startsWith("http_") && NginxNotation.header(asked).equals(field))) {
                return Field.named(one.getKey());
            }
        }
        return variable.startsWith("$") || variable.startsWith("%") ? Field.of(Kind.OTHER) : field;
    }

    @Override
    public String name() {
        return name;
    }

    private int lastThatMatters() {
        int last = pieces.length - 1;
        while (last > 0 && pieces[last].field.kind() == Kind.OTHER) {
            last--;
        }
        return last;
    }

    @Override
    public boolean matches(byte[] line, int from, int to) {
        return cut(pieces.length, line, from, to) && read(line, from, to) != null;
    }

    @Override
    public @Nullable LoggedCall read(byte[] line, int from, int to) {
        if (!cut(needed, line, from, to)) {
            return null;
        }
        fields.begin(extras);
        for (int i = 0; i < needed; i++) {
            if (!fields.take(pieces[i].field, pieces[i].extra, line, spans[2 * i], spans[2 * i + 1])) {
                return null;
            }
        }
        return fields.call();
    }

    /** Finds the first pieces, this many, in the line; returns whether all are there. */
    private boolean cut(int number, byte[] line, int from, int to) {
        if (!ByteSpan.startsWith(line, from, to, before)) {
            return false;
        }
        int at = from + before.length;
        for (int i = 0; i < number; i++) {
            int end = end(pieces[i], line, at, to, i + 1 == pieces.length && !allowsMore);
            if (end < 0) {
                return false;
            }
            spans[2 * i] = at;
            spans[2 * i + 1] = end;
            at = end + pieces[i].after.length;
        }
        return true;
    }

    /** The end of the field that begins here; -1 if the text after it is missing. */
    private static int end(Piece piece, byte[] line, int from, int to, boolean isLast) {
        byte[] after = piece.after;
        if (after.length == 0) {
            return isLast ? to : ByteSpan.indexOf(line, (byte) ' ', from, to);
        }
        byte first = after[0];
        for (int i = from; i < to; i++) {
            byte c = line[i];
            if (c == '\\' && piece.isQuoted) {
                i++;
            } else if (c == first
                    && ByteSpan.startsWith(line, i, to, after)
                    && !(isLast && i + after.length != to)
                    && !isWithinList(line, i, from, to)) {
                return i;
            }
        }
        return -1;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Times and addresses of several servers look like {@code 0.1, 0.2 : 0.3}. */
    private static boolean isWithinList(byte[] line, int at, int from, int to) {
        if (line[at] != ' ' || at == from) {
            return false;
        }
        boolean isBeforeColon = at + 2 < to && line[at + 1] == ':' && line[at + 2] == ' ';
        boolean isBehindColon = line[at - 1] == ':' && at - 2 >= from && line[at - 2] == ' ';
        return line[at - 1] == ',' || isBeforeColon || isBehindColon;
    }
}
