package dev.sluice.cli.rehearse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * An access log as a shop on the web has it: 300 visitors on six resources, static files, two crawlers, scanners, and
 * one who reads prices.
 */
final class SiteLog {

    static final String PRICE_READER = "192.0.2.99";

    private static final Instant START = Instant.parse("2026-03-02T08:00:00Z");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);
    private static final String BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
    private static final String GOOGLE = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
    private static final String AHREFS = "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)";
    private static final List<String> PROBES = List.of(
            "/.env",
            "/wp-login.php",
            "/xmlrpc.php",
            "/.git/config",
            "/phpmyadmin/index.php",
            "/actuator/env",
            "/config.json",
            "/backup.zip",
            "/admin/login.aspx",
            "/cgi-bin/luci");

    private final Random random = new Random(11);
    private final List<Line> lines = new ArrayList<>();

    private record Line(int second, String text) {}

    static Path write(Path file) throws IOException {
        SiteLog log = new SiteLog();
        for (int visitor = 0; visitor < 300; visitor++) {
            log.visit("203.0." + visitor / 200 + "." + visitor % 200, log.random.nextInt(12 * 3600));
        }
        for (int i = 0; i < 4000; i++) {
            log.add(i * 10, "66.249.66." + i % 2, "GET", "/product/" + i % 900, 200, GOOGLE);
            log.add(
                    i / 100 * 1000 + i % 100 / 2,
                    "54.36.148.7",
                    "GET",
                    i % 3 == 0 ? "/archive/" + i : "/product/" + i,
                    200,
                    AHREFS);
        }
        for (int scanner = 0; scanner < 15; scanner++) {
            log.scan("198.51.100." + scanner, 1000 + scanner * 2000);
        }
        for (int i = 0; i < 3000; i++) {
            log.add(20_000 + i / 3, PRICE_READER, "GET", "/product/" + i % 500, 200, "python-requests/2.31");
        }
        log.lines.sort(Comparator.comparingInt(Line::second));
        return Files.write(file, log.lines.stream().map(Line::text).toList());
    }

    private void visit(String ip, int second) {
        int now = second;
        add(now, ip, "GET", "/", 200, BROWSER);
        for (String file : List.of("app.4f2a91.js", "vendor.81bc.js", "site.css", "logo.svg", "font.woff2")) {
            add(now, ip, "GET", "/assets/" + file, 200, BROWSER);
        }
        for (int page = 2 + random.nextInt(12); page > 0; page--) {
            now += 2 + random.nextInt(40);
            switch (random.nextInt(4)) {
                case 0 ->
                    add(
                            now,
                            ip,
                            "GET",
                            "/category/" + List.of("coats", "gloves", "boots").get(random.nextInt(3)),
                            200,
                            BROWSER);
                case 1 -> add(now, ip, "GET", "/search?q=coat" + page, 200, BROWSER);
                default -> product(now, ip);
            }
        }
        if (random.nextInt(3) == 0) {
            add(now + 5, ip, "POST", "/cart", 302, BROWSER);
            add(now + 20, ip, "POST", "/login", random.nextInt(5) == 0 ? 401 : 302, BROWSER);
            add(now + 60, ip, "POST", "/orders", 201, BROWSER);
        }
    }

    private void product(int now, String ip) {
        int id = 1 + random.nextInt(900);
        add(now, ip, "GET", "/product/" + id, 200, BROWSER);
        add(now, ip, "GET", "/images/" + id + ".webp", 200, BROWSER);
    }

    /** Some servers answer made-up paths by their start page or a redirection. */
    private void scan(String ip, int second) {
        for (int i = 0; i < 60; i++) {
            int status = i % 3 == 0 ? 200 : i % 7 == 0 ? 301 : 404;
            add(second + i, ip, "GET", PROBES.get(i % PROBES.size()), status, BROWSER);
        }
    }

    private void add(int second, String ip, String method, String path, int status, String agent) {
        lines.add(new Line(
                second,
                ip + " - - [" + TIME.format(START.plusSeconds(second)) + "] \"" + method + " " + path + " HTTP/1.1\" "
                        + status + " 512 \"-\" \"" + agent + "\""));
    }
}
