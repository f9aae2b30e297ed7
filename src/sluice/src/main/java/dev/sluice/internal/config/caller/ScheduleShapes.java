package dev.sluice.internal.config.caller;

import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.match.condition.Schedule.Hours;
import java.time.DayOfWeek;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The shapes for the hours, days and countries in a condition. */
final class ScheduleShapes {

    private static final Pattern SPAN = Pattern.compile("(\\d{2}):([0-5]\\d)-(\\d{2}):([0-5]\\d)");
    /** A time span in an informal notation: {@code 9-17}, {@code 9:00-17:00}, {@code 9am - 5pm}. */
    private static final Pattern LOOSE_SPAN = Pattern.compile(
            "(\\d{1,2})(?:[:.h]?([0-5]\\d))? ?(am|pm)? ?(?:-|–|to) ?(\\d{1,2})(?:[:.h]?([0-5]\\d))? ?(am|pm)?",
            Pattern.CASE_INSENSITIVE);

    private static final List<String> NAMES = Arrays.stream(DayOfWeek.values())
            .map(day -> day.name().substring(0, 3))
            .toList();

    /** A time span, such as {@code 22:00-06:00}. */
    static final Shape<Hours> HOURS = (value, findings) -> Shapes.text("a time of day", hoursExample(value))
            .then(ScheduleShapes::hours)
            .read(value, findings);

    /** A list of days such as {@code MON}, and of ranges such as {@code MON-FRI}. */
    static final Shape<Set<DayOfWeek>> DAYS = Shapes.listOf(
                    Shapes.text("a day", "MON").then(ScheduleShapes::span),
                    ScheduleShapes::daysMeant,
                    "[ MON-FRI ]",
                    "remove the key for all days")
            .then((spans, findings) ->
                    spans.isEmpty() ? null : spans.stream().flatMap(Set::stream).collect(Collectors.toSet()));

    /** A two-letter ISO 3166 code, or one of the other codes that proxies and databases use. */
    static final Shape<String> COUNTRY = Shapes.text("a country", "FR").then(ScheduleShapes::country);

    private ScheduleShapes() {}

    private static @Nullable Hours hours(Text text, Findings findings) {
        Matcher matcher = SPAN.matcher(text.content());
        int from = matcher.matches() ? minutes(matcher.group(1), matcher.group(2)) : -1;
        int to = matcher.matches() ? minutes(matcher.group(3), matcher.group(4)) : -1;
        if (from < 0 || from >= 1440 || to < 0 || to > 1440 || from == to) {
            String meant = from == to && from >= 0
                    ? " is an empty span; remove the key for the whole day"
                    : " is not a time of day; write " + spanMeant(text);
            return findings.refuse(ProblemCode.NOT_A_TIME, text, meant);
        }
        return new Hours(from, to);
    }

    /** Suggests the time span that a list of two times probably denotes. For any other value, returns an example. */
    private static String hoursExample(Value value) {
        boolean isPair = value instanceof Value.Items items
                && items.values().size() == 2
                && items.values().stream().allMatch(end -> end instanceof Text text && !text.isSubstituted());
        if (!isPair) {
            return "\"22:00-06:00\"";
        }
        String span = ((Value.Items) value)
                .values().stream().map(end -> ((Text) end).content()).collect(Collectors.joining("-"));
        return spanMeant(new Text(value.position(), span, span, Text.Style.PLAIN));
    }

    private static String spanMeant(Text text) {
        Matcher loose = LOOSE_SPAN.matcher(text.content());
        String from = loose.matches() ? time(loose.group(1), loose.group(2), loose.group(3)) : null;
        String to = loose.matches() ? time(loose.group(4), loose.group(5), loose.group(6)) : null;
        return from == null || to == null || text.isSubstituted()
                ? "\"22:00-06:00\", with times from 00:00 to 24:00"
                : '"' + from + '-' + to + '"';
    }

    /** Formats a time in the file's notation. Returns {@code null} if the time is invalid. */
    private static @Nullable String time(String hour, @Nullable String minute, @Nullable String half) {
        int hours = Integer.parseInt(hour);
        if (half != null) {
            hours = hours < 1 || hours > 12 ? 25 : hours % 12 + (half.equalsIgnoreCase("pm") ? 12 : 0);
        }
        String time = "%02d:%s".formatted(hours, minute == null ? "00" : minute);
        return time.compareTo("24:00") <= 0 ? time : null;
    }

    private static int minutes(String hours, String minutes) {
        return Integer.parseInt(hours) * 60 + Integer.parseInt(minutes);
    }

    private static @Nullable Set<DayOfWeek> span(Text text, Findings findings) {
        int dash = text.content().indexOf('-');
        String first = dash < 0 ? text.content() : text.content().substring(0, dash);
        String last = dash < 0 ? first : text.content().substring(dash + 1);
        if (!NAMES.contains(first) || !NAMES.contains(last)) {
            String meant = daysMeant(text);
            return findings.refuse(
                    ProblemCode.NOT_A_TIME,
                    text,
                    " is not a day of the week; write "
                            + (meant == null ? "MON, TUE, WED, THU, FRI, SAT, SUN or MON-FRI" : meant));
        }
        DayOfWeek from = DayOfWeek.of(NAMES.indexOf(first) + 1);
        int further = Math.floorMod(NAMES.indexOf(last) - NAMES.indexOf(first), 7);
        return IntStream.rangeClosed(0, further).mapToObj(from::plus).collect(Collectors.toSet());
    }

    /** Guesses which days a text denotes. Returns {@code null} if there is no guess. */
    private static @Nullable String daysMeant(Text text) {
        String word = text.content().toLowerCase(Locale.ROOT);
        if (text.isSubstituted()) {
            return null;
        }
        if (word.startsWith("weekend")) {
            return "SAT-SUN";
        }
        if (word.matches("weekdays?|workdays?|working days")) {
            return "MON-FRI";
        }
        List<String> days = Arrays.stream(word.split(" ?- ?", 3))
                .map(day -> day.toUpperCase(Locale.ROOT))
                .map(day -> day.substring(0, Math.min(3, day.length())))
                .toList();
        return days.size() <= 2 && NAMES.containsAll(days) ? String.join("-", days) : null;
    }

    private static @Nullable String country(Text text, Findings findings) {
        Set<String> codes = new TreeSet<>(Set.of(Locale.getISOCountries()));
        codes.add("XK"); // Kosovo has no official code
        codes.add("T1"); // Cloudflare's code for Tor exit nodes
        if (codes.contains(text.content())) {
            return text.content();
        }
        String upper = text.content().toUpperCase(Locale.ROOT);
        String meant = text.content().equals("UK") ? "GB" : codes.contains(upper) ? upper : null;
        return findings.refuse(
                ProblemCode.NOT_A_COUNTRY,
                text,
                " is not a country; "
                        + (meant == null || text.isSubstituted()
                                ? "write two letters of ISO 3166, such as FR"
                                : "did you mean " + meant + "?"));
    }
}
