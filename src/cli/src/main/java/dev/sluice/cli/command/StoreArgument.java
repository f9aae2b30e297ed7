package dev.sluice.cli.command;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The URI of a store, as specified on the command line or in the environment. */
record StoreArgument(String text) {

    boolean hasPassword() {
        int colon = userInfo().indexOf(':');
        return colon >= 0 && colon < userInfo().length() - 1;
    }

    /** Returns the URI with the password added in percent-encoded form. */
    String withPassword(String password) {
        int from = text.indexOf("://") + 3;
        if (from < 3) {
            return text; // not a store URI; the mistake is reported when the store is opened
        }
        String user = userInfo().replaceFirst(":$", "");
        String remaining = text.substring(from)
                .substring(userInfo().isEmpty() ? 0 : userInfo().length() + 1);
        return text.substring(0, from) + user + ':' + escaped(password) + '@' + remaining;
    }

    /** Returns the user and the password in the URI, in front of the host; empty if the URI has neither. */
    private String userInfo() {
        int from = text.indexOf("://") + 3;
        if (from < 3) {
            return "";
        }
        String remaining = text.substring(from);
        String authority = remaining.split("[/?#]", 2)[0];
        return authority.substring(0, Math.max(0, authority.lastIndexOf('@')));
    }

    private static String escaped(String password) {
        return URLEncoder.encode(password, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
