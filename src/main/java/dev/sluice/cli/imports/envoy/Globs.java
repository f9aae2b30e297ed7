package dev.sluice.cli.imports.envoy;

/** Values in which {@code *} stands for any characters. */
final class Globs {

    private Globs() {}

    static boolean matches(String glob, String value) {
        String[] parts = glob.split("\\*", -1);
        if (parts.length == 1) {
            return glob.equals(value);
        }
        String last = parts[parts.length - 1];
        if (!value.startsWith(parts[0]) || !value.endsWith(last)) {
            return false;
        }
        int at = parts[0].length();
        for (int i = 1; i < parts.length - 1; i++) {
            int found = value.indexOf(parts[i], at);
            if (found < 0) {
                return false;
            }
            at = found + parts[i].length();
        }
        return at <= value.length() - last.length();
    }
}
