package dev.sluice.cli.limits;

import dev.sluice.open.ServerName;
import java.util.Objects;

/** Finds the name of the person who is running the command. This name is stored with each limit. */
final class OperatorName {

    private static final String UNKNOWN = "somebody";

    private OperatorName() {}

    /** Returns the name, for example {@code eve@ops-1}. With {@code sudo}, this is the original user's name. */
    static String get() {
        String before = System.getenv("SUDO_USER");
        String user = before == null || before.isBlank() ? System.getProperty("user.name") : before;
        return Objects.requireNonNullElse(user, UNKNOWN) + '@' + ServerName.host("a-host-without-a-name");
    }
}
