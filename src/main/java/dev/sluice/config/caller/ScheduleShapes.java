package dev.sluice.config.caller;

import dev.sluice.config.shape.Nearest;
import dev.sluice.config.shape.Shape;
import dev.sluice.config.shape.Shapes;
import dev.sluice.config.yaml.Findings;
import dev.sluice.config.yaml.ProblemCode;
import dev.sluice.config.yaml.Value;
import dev.sluice.config.yaml.Value.Text;
import dev.sluice.match.condition.Schedule.Hours;
import dev.sluice.match.condition.WallClock;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The shapes of hours, days, zones and countries. */
final class ScheduleShapes {

    private static final Pattern HOURS = Pattern.compile("(\\d{2}):([0-5]\\d)-(\\d{2}):([0-5]\\d)");
    private static final List<String> DAYS = Arrays.stream(DayOfWeek.values())
            .map(day -> day.name().substring(0, 3))
            .toList();

    private ScheduleShapes() {}

    /** {@code 22:00-06:00}. */
    static @Nullable Hours hours(Value value, Findings findings) {
        Text text = Shapes.text("a time of the day", "\"22:00-06:00\"").read(value, findings);
        if (text == null) {
            return null;
        }
        Matcher matcher = HOURS.matcher(text.content());
        int from = matcher.matches() ? minutes(matcher.group(1), matcher.group(2)) : -1;
        int to = matcher.matches() ? minutes(matcher.group(3), matcher.group(4)) : -1;
        if (from < 0 || from >= 1440 || to < 0 || to > 1440 || from == to) {
            String meant = from == to && from >= 0
                    ? " is an empty span; leave the key out for the whole day"
                    : " is not a time of day; write \"22:00-06:00\", each from 00:00 to 24:00";
            findings.add(ProblemCode.NOT_A_TIME, text.position(), text.quoted() + meant);
            return null;
        }
        return new Hours(from, to);
    }

    private static int minutes(String hours, String minutes) {
        return Integer.parseInt(hours) * 60 + Integer.parseInt(minutes);
    }

    /** A list of {@code MON} or {@code MON-FRI}. */
    static Shape<Set<DayOfWeek>> days() {
        Shape<List<Set<DayOfWeek>>> list =
                Shapes.listOf(ScheduleShapes::span, "[ MON-FRI ]", "leave the key out for all days");
        return (value, findings) -> {
            List<Set<DayOfWeek>> spans = list.read(value, findings);
            if (spans == null || spans.isEmpty()) {
                return null;
            }
            Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
            spans.forEach(days::addAll);
            return days;
        };
    }

    private static @Nullable Set<DayOfWeek> span(Value value, Findings findings) {
        Text text = Shapes.text("a day", "MON").read(value, findings);
        if (text == null) {
            return null;
        }
        int dash = text.content().indexOf('-');
        String first = dash < 0 ? text.content() : text.content().substring(0, dash);
        String last = dash < 0 ? first : text.content().substring(dash + 1);
        if (!DAYS.contains(first) || !DAYS.contains(last)) {
            String guess = guess(text, first) + (dash < 0 ? "" : "-" + guess(text, last));
            findings.add(
                    ProblemCode.NOT_A_TIME,
                    text,
                    " is not a day of the week; "
                            + (guess.contains("?")
                                    ? "write MON, TUE, WED, THU, FRI, SAT, SUN or MON-FRI"
                                    : "write " + guess));
            return null;
        }
        Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
        DayOfWeek day = DayOfWeek.of(DAYS.indexOf(first) + 1);
        days.add(day);
        while (!day.equals(DayOfWeek.of(DAYS.indexOf(last) + 1))) {
            day = day.plus(1);
            days.add(day);
        }
        return days;
    }

    /** The day that was meant, or a question mark. */
    private static String guess(Text text, String word) {
        String start = word.length() < 3 || text.style() == Text.Style.SUBSTITUTED
                ? ""
                : word.substring(0, 3).toUpperCase(Locale.ROOT);
        return DAYS.contains(start) ? start : "?";
    }

    /** A zone by its name in the time zone database. */
    static @Nullable WallClock zone(Value value, Findings findings) {
        Text text = Shapes.text("a time zone", "Europe/Paris").read(value, findings);
        if (text == null) {
            return null;
        }
        try {
            return new WallClock(ZoneId.of(text.content()));
        } catch (DateTimeException e) {
            findings.add(
                    ProblemCode.NOT_A_TIME,
                    text,
                    " is not a time zone"
                            + nearest(text, ZoneId.getAvailableZoneIds(), "; write one such as Europe/Paris"));
            return null;
        }
    }

    /** Two letters of ISO 3166, or what else proxies and databases say. */
    static @Nullable String country(Value value, Findings findings) {
        Text text = Shapes.text("a country", "FR").read(value, findings);
        if (text == null) {
            return null;
        }
        Set<String> codes = new TreeSet<>(Set.of(Locale.getISOCountries()));
        codes.add("XK"); // Kosovo, to all who have to call it something
        codes.add("T1"); // Tor's exits, to Cloudflare
        if (codes.contains(text.content())) {
            return text.content();
        }
        String upper = text.content().toUpperCase(Locale.ROOT);
        String meant = text.content().equals("UK") ? "GB" : codes.contains(upper) ? upper : null;
        findings.add(
                ProblemCode.NOT_A_COUNTRY,
                text,
                " is not a country"
                        + (meant == null || text.style() == Text.Style.SUBSTITUTED
                                ? "; write two letters of ISO 3166, such as FR"
                                : "; did you mean " + meant + "?"));
        return null;
    }

    private static String nearest(Text text, Collection<String> known, String otherwise) {
        String guess = text.style() == Text.Style.SUBSTITUTED ? null : Nearest.to(text.content(), known);
        return guess == null ? otherwise : "; did you mean " + guess + "?";
    }
}
