package dev.sluice.cli.command;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** A store's uri, as it is written. */
record StoreUri(String text) {

    boolean hasPassword() {
        int colon = userInfo().indexOf(':');
        return colon >= 0 && colon < userInfo().length() - 1;
    }

    /** The same with a password, percent-encoded. */
    String withPassword(String password) {
        int from = text.indexOf("://") + 3;
        if (from < 3) {
            return text; // not the URI of a store; opening it reports that
        }
        String user = userInfo().replaceFirst(":$", "");
        String rest = text.substring(from)
                .substring(userInfo().isEmpty() ? 0 : userInfo().length() + 1);
        return text.substring(0, from) + user + ':' + escaped(password) + '@' + rest;
    }

    /** What stands before the host. */
    private String userInfo() {
        int from = text.indexOf("://") + 3;
        if (from < 3) {
            return "";
        }
        String rest = text.substring(from);
        String authority = rest.split("[/?#]", 2)[0];
        return authority.substring(0, Math.max(0, authority.lastIndexOf('@')));
    }

    private static String escaped(String password) {
        StringBuilder escaped = new StringBuilder();
        for (byte b : password.getBytes(StandardCharsets.UTF_8)) {
            boolean isPlain = (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9');
            escaped.append(
                    isPlain ? String.valueOf((char) b) : "%" + HexFormat.of().toHexDigits(b));
        }
        return escaped.toString();
    }
}
