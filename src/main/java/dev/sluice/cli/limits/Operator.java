package dev.sluice.cli.limits;

import dev.sluice.config.ServerName;
import java.util.Objects;

/** Who runs this command, for those who ask later who has set a limit. */
final class Operator {

    private static final String UNKNOWN = "somebody";

    private Operator() {}

    /** For example {@code eve@ops-1}; behind {@code sudo}, whoever went there. */
    static String name() {
        String before = System.getenv("SUDO_USER");
        String user = before == null || before.isBlank() ? System.getProperty("user.name") : before;
        return Objects.requireNonNullElse(user, UNKNOWN) + '@' + ServerName.host("a-host-without-a-name");
    }
}
