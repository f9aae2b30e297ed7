package dev.sluice.cli.rehearse.suggest;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parts of a file beside its endpoints and clients, which the suggested file takes over. */
final class FileHead {

    /** A share would cut what was fitted to the calls of this region. */
    private static final Set<String> LEFT_OUT = Set.of("endpoints", "clients", "mode", "regionShare");

    private static final Pattern KEY = Pattern.compile("^([A-Za-z]+)\\s*:.*$", Pattern.MULTILINE);

    private FileHead() {}

    /** Its blocks at the top, but for those of endpoints and clients; empty if it is a bare list. */
    static String of(String yaml) {
        Matcher keys = KEY.matcher(yaml);
        StringBuilder head = new StringBuilder();
        int from = -1;
        while (keys.find()) {
            if (from >= 0) {
                head.append(yaml, from, keys.start());
            }
            from = LEFT_OUT.contains(keys.group(1)) ? -1 : keys.start();
        }
        if (from >= 0) {
            head.append(yaml, from, yaml.length());
        }
        String text = head.toString().replaceAll("(?m)^\\s*#.*\\n", "").strip();
        return text.isEmpty() ? "" : text + "\n";
    }
}
