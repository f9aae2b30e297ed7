import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Generates the access log of a small shop, which is the same every time. It covers three days, with visitors, partners
 * that import their orders in bursts, a scraper at night, a retry storm, and somebody who guesses passwords.
 *
 * <p>{@code java SampleLog.java > access.log}
 */
final class SampleLog {

    private static final long START = Instant.parse("2026-03-02T00:00:00Z").toEpochMilli();
    private static final long HOUR = 3_600_000;
    private static final long DAY = 24 * HOUR;
    private static final int DAYS = 3;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

    private final Random random = new Random(20_260_302);
    private final List<Line> lines = new ArrayList<>();

    /** A call, with the time at which its line was written, which is its end. */
    private record Line(long millis, String text) {}

    public static void main(String[] arguments) {
        SampleLog log = new SampleLog();
        for (int day = 0; day < DAYS; day++) {
            log.visitors(START + day * DAY);
            log.partners(START + day * DAY);
        }
        log.scraper(START + DAY + 3 * HOUR);
        log.retryStorm(START + 2 * DAY + 14 * HOUR + 300_000);
        log.passwords(START + DAY + 21 * HOUR);
        log.strangers();
        log.lines.sort(Comparator.comparingLong(Line::millis));
        log.lines.forEach(line -> System.out.print(line.text + "\n"));
    }

    /** People look around by day, a few pages at a time. */
    private void visitors(long day) {
        for (int visit = 0; visit < 220; visit++) {
            double hour = 13.5 + random.nextGaussian() * 4;
            long now = day + (long) (Math.floorMod((long) (hour * HOUR), DAY));
            String address = "198.51.100." + (1 + random.nextInt(180));
            int pages = 1 + random.nextInt(12);
            for (int page = 0; page < pages; page++) {
                add(now, address, "-", "GET", path(page), random.nextInt(40) == 0 ? 404 : 200, BROWSER);
                now += 800 + (long) (-Math.log(1 - random.nextDouble()) * 9_000);
            }
        }
    }

    private String path(int page) {
        if (page == 0) {
            return "/";
        }
        return switch (random.nextInt(6)) {
            case 0 -> "/category/" + List.of("shoes", "hats", "rain-coats", "gloves").get(random.nextInt(4));
            case 1 -> "/search?q=" + List.of("boots", "wool+hat", "red%20coat").get(random.nextInt(3));
            default -> "/product/" + (1 + random.nextInt(900));
        };
    }

    /** Each partner's program fetches products and sends orders, in a burst at the full hour. */
    private void partners(long day) {
        for (int partner = 1; partner <= 4; partner++) {
            for (int hour = 6; hour <= 20; hour += 2) {
                long now = day + hour * HOUR + partner * 1_700L;
                int calls = 8 + partner * 4 + random.nextInt(8);
                for (int call = 0; call < calls; call++) {
                    boolean isOrder = call % 3 == 0;
                    add(
                            now,
                            "203.0.113." + partner * 10,
                            "partner-" + partner,
                            isOrder ? "POST" : "GET",
                            isOrder ? "/orders" : "/product/" + (1 + random.nextInt(900)),
                            isOrder ? 201 : 200,
                            "partner-import/" + partner + ".2");
                    now += 120 + random.nextInt(300);
                }
            }
        }
    }

    /** One address reads all products, at four per second. */
    private void scraper(long begin) {
        for (int product = 1; product <= 900; product++) {
            add(begin + product * 250L, "192.0.2.66", "-", "GET", "/product/" + product, 200, "python-requests/2.31");
        }
    }

    /** The shop fails for two minutes, and one partner's program retries at once, again and again. */
    private void retryStorm(long begin) {
        for (long now = begin; now < begin + 120_000; now += 90 + random.nextInt(120)) {
            add(now, "203.0.113.30", "partner-3", "POST", "/orders", 503, "partner-import/3.2");
        }
    }

    private void passwords(long begin) {
        for (int guess = 0; guess < 300; guess++) {
            add(begin + guess * 2_000L + random.nextInt(500), "192.0.2.200", "-", "POST", "/login", 401, "curl/8.5.0");
        }
        for (int login = 0; login < 120; login++) {
            long now = START + (long) (random.nextDouble() * DAYS * DAY);
            String address = "198.51.100." + (1 + random.nextInt(180));
            add(now, address, "-", "POST", "/login", random.nextInt(6) == 0 ? 401 : 200, BROWSER);
        }
    }

    /** The requests that every server on the internet gets from scanners. */
    private void strangers() {
        for (int i = 0; i < 12; i++) {
            long now = START + (long) (random.nextDouble() * DAYS * DAY);
            String request = i % 3 == 0 ? "\\x16\\x03\\x01\\x02\\x00\\x01\\x00" : i % 3 == 1 ? "-" : "GET /.env HTTP/1.1";
            lines.add(new Line(now, line(now, "192.0.2." + (100 + i), "-", request, i % 3 == 2 ? 404 : 400, 150, "-")));
        }
    }

    private void add(long began, String address, String user, String method, String path, int status, String agent) {
        long written = began + 5 + (long) (-Math.log(1 - random.nextDouble()) * 60);
        String text = line(began, address, user, method + " " + path + " HTTP/1.1", status, random.nextInt(20_000), agent);
        lines.add(new Line(written, text));
    }

    /** The line in the combined log format, with the time at which the call began, as Apache writes it. */
    private static String line(
            long millis, String address, String user, String request, int status, int bytes, String agent) {
        String time = TIME.format(Instant.ofEpochMilli(millis));
        return address + " - " + user + " [" + time + "] \"" + request + "\" " + status + " " + bytes + " \"-\" \""
                + agent + "\"";
    }
}
