package dev.sluice.bypass;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes up odd ways to write the paths of an application, the same ones for the same seed. */
final class PathFuzzer {

    private static final List<String> AIMS = List.of(
            "login",
            "login",
            "api/x",
            "orgs/acme/x",
            "orgs/acme/x",
            "orgs/N0/x",
            "orgs/friend/x",
            "files/secret.txt",
            "files/sub/secret.txt");
    private static final List<String> NAMES =
            List.of("x", "y", "login", "api", "orgs", "acme", "N1", "N2", "friend", "app");
    private static final List<String> SEPARATORS = List.of(
            "/", "/", "/", "/", "/", "/", "//", "///", "%2f", "%2F", "\\", "%5c", "%5C", "/;/", "/;a=b/", "/./",
            "/.;a/", "%2f/", "/%2f", "%5c/", "\\/", "/%2e/", "//;a//", "/%20/", "/%20", "%1f/", "/%7f");
    private static final List<String> NOTHING =
            List.of("", ".", ";", ";a", ".;a", "%2e", "%2E;a", ".%3ba", "%3b", "%20", "%1f;a");
    private static final List<String> UP = List.of(
            "..",
            "..",
            "..",
            "..;",
            "..;a=b",
            "%2e%2e",
            ".%2e",
            "%2E.",
            "%2e%2e;a",
            "..%3b",
            "..%00",
            "%252e%252e",
            "%c0%ae%c0%ae",
            "%u002e%u002e",
            "...",
            "..%20",
            "..%2e");
    private static final List<String> ENDS = List.of(
            "",
            "",
            "",
            "",
            "/",
            "//",
            "/.",
            ";a",
            ";",
            "%20",
            "%00",
            "/x/..",
            "%2f",
            "\\",
            "%5c",
            "?a=/../b",
            "#x",
            "/..;/x",
            "//..");

    private final Random random;
    private final String contextPath;

    /** Writes paths of an application with this context path. */
    PathFuzzer(long seed, String contextPath) {
        this.random = new Random(seed);
        this.contextPath = contextPath;
    }

    String next() {
        List<String> segments = new ArrayList<>();
        if (!contextPath.isEmpty()) {
            segments.add(contextPath.substring(1));
        }
        segments.addAll(List.of(one(AIMS).split("/", -1)));
        for (int detours = random.nextInt(4); detours > 0; detours--) {
            addDetour(segments);
        }
        StringBuilder path = new StringBuilder();
        boolean isSpeltOddly = random.nextInt(3) == 0;
        for (String segment : segments) {
            path.append(path.isEmpty() && random.nextInt(8) > 0 ? "/" : one(SEPARATORS))
                    .append(isSpeltOddly ? spelt(segment) : segment);
        }
        return path + one(ENDS);
    }

    /** Adds a detour through other segments and back; servers may disagree on where it leads. */
    private void addDetour(List<String> segments) {
        int at = random.nextInt(segments.size() + 1);
        int away = random.nextInt(3);
        int back = random.nextInt(5) == 0 ? random.nextInt(4) : away;
        List<String> detour = new ArrayList<>();
        for (int i = 0; i < away; i++) {
            detour.add(random.nextInt(3) == 0 ? one(NOTHING) : one(NAMES));
        }
        for (int i = 0; i < back; i++) {
            detour.add(one(UP));
        }
        if (away + back == 0) {
            detour.add(one(NOTHING));
        }
        segments.addAll(at, detour);
    }

    /** Some of its characters encoded, or with parameters. */
    private String spelt(String segment) {
        StringBuilder spelt = new StringBuilder();
        for (int i = 0; i < segment.length(); i++) {
            char c = segment.charAt(i);
            boolean isLetter = Character.isLetterOrDigit(c) && (i == 0 || segment.charAt(i - 1) != '%');
            if (isLetter && segment.indexOf('%') < 0 && segment.indexOf(';') < 0 && random.nextInt(4) == 0) {
                spelt.append(String.format(random.nextInt(9) == 0 ? "%%25%02x" : "%%%02x", (int) c));
            } else {
                spelt.append(c);
            }
        }
        return spelt + (random.nextInt(5) == 0 ? ";v=1" : "");
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }
}
