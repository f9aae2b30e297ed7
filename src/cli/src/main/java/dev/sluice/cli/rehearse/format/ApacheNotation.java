package dev.sluice.cli.rehearse.format;

import dev.sluice.cli.rehearse.format.Field.Kind;
import java.util.Locale;

/** Parses Apache's {@code LogFormat}: <code>%h %l %u %t "%r" %>s %b "%{X-Org-Id}i"</code>. */
final class ApacheNotation {

    static final String COMMON = "%h %l %u %t \"%r\" %>s %b";
    static final String COMBINED = COMMON + " \"%{Referer}i\" \"%{User-Agent}i\"";

    private final String format;
    private final LineTemplate.Builder template = new LineTemplate.Builder();
    private int at;

    private ApacheNotation(String format) {
        this.format = format;
    }

    static boolean isMeant(String format) {
        return format.indexOf('%') >= 0;
    }

    static LineTemplate parse(String format) {
        return new ApacheNotation(format.replace("\\\"", "\"").replace("\\t", "\t")).parse();
    }

    private LineTemplate parse() {
        while (at < format.length()) {
            char c = format.charAt(at++);
            if (c != '%') {
                template.text(c);
            } else {
                directive();
            }
        }
        return template.build();
    }

    /**
     * Parses a directive after its percent sign. A directive consists of optional status conditions, an optional choice
     * between the original and the final request, an optional name in braces, and a letter.
     */
    private void directive() {
        int column = at;
        while (at < format.length() && "!<>,0123456789".indexOf(format.charAt(at)) >= 0) {
            at++;
        }
        String argument = "";
        if (at < format.length() && format.charAt(at) == '{') {
            int end = format.indexOf('}', at);
            if (end < 0) {
                throw new IllegalArgumentException("the { in column " + (at + 1) + " has no }");
            }
            argument = format.substring(at + 1, end);
            at = end + 1;
        }
        if (at < format.length() && format.charAt(at) == '^') {
            at = Math.min(format.length() - 1, at + 2); // %^ti and %^to are trailers
        }
        if (at >= format.length()) {
            throw new IllegalArgumentException("the % in column " + column + " names no field");
        }
        add(format.charAt(at++), argument);
    }

    private void add(char letter, String argument) {
        switch (letter) {
            case '%' -> template.text('%');
            case 't' -> time(argument);
            case 'h' -> template.field(Field.of(Kind.ADDRESS));
            case 'a' -> template.field(argument.isEmpty() ? Field.of(Kind.ADDRESS) : Field.of(Kind.OTHER));
            case 'u' -> template.field(Field.of(Kind.USER));
            case 'r' -> template.field(Field.of(Kind.REQUEST));
            case 'm' -> template.field(Field.of(Kind.METHOD));
            case 'U' -> template.field(Field.of(Kind.DECODED_PATH));
            case 'q' -> template.field(Field.of(Kind.QUERY));
            case 's' -> template.field(Field.of(Kind.STATUS));
            case 'D' -> template.field(Field.of(Kind.MICROS));
            case 'T' -> template.field(Field.of(duration(argument)));
            case 'i' -> template.field(Field.header(argument));
            case 'C' -> template.field(Field.extra("cookie:" + argument));
            case 'e', 'n', 'o', 'x' -> template.field(Field.extra("%{" + argument + "}" + letter));
            default -> template.field(Field.of(Kind.OTHER));
        }
    }

    /**
     * Adds a time field. The time is either in brackets, as in the common log format, or in the format that the
     * argument names.
     */
    private void time(String argument) {
        boolean isEnd = argument.startsWith("end:");
        String form = argument.replaceFirst("^(begin|end):", "");
        Kind kind = isEnd ? Kind.END : Kind.START;
        if (form.isEmpty()) {
            template.text('[');
            template.field(Field.of(kind));
            template.text(']');
        } else {
            template.field(Field.of(form.endsWith("_frac") ? Kind.OTHER : kind));
        }
    }

    private static Kind duration(String unit) {
        return switch (unit.toLowerCase(Locale.ROOT)) {
            case "ms" -> Kind.MILLIS;
            case "us" -> Kind.MICROS;
            default -> Kind.SECONDS;
        };
    }
}
