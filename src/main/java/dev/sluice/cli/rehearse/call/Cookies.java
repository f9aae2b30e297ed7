package dev.sluice.cli.rehearse.call;

import org.jspecify.annotations.Nullable;

/** Finds a cookie in the {@code Cookie} header. */
final class Cookies {

    private Cookies() {}

    static @Nullable String value(@Nullable String header, String name) {
        if (header == null) {
            return null;
        }
        for (String pair : header.split(";", -1)) {
            String stripped = pair.strip();
            int equals = stripped.indexOf('=');
            if (equals == name.length() && stripped.startsWith(name)) {
                String value = stripped.substring(equals + 1);
                boolean isQuoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
                return isQuoted ? value.substring(1, value.length() - 1) : value;
            }
        }
        return null;
    }
}
