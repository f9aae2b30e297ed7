package dev.sluice.spring.start;

import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Thrown if the limiter cannot start for a reason other than mistakes in the limits. */
public final class StartFailure extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String action;

    public StartFailure(String description, String action, @Nullable Throwable cause) {
        super(description, cause);
        this.action = action;
    }

    /** Creates a failure that lists the given failures. */
    public static StartFailure of(String what, List<StartFailure> all) {
        return all.size() == 1
                ? all.get(0)
                : new StartFailure(
                        what + ":\n"
                                + all.stream()
                                        .map(one -> "\n    " + one.getMessage())
                                        .collect(Collectors.joining()),
                        all.stream().map(StartFailure::action).distinct().collect(Collectors.joining("\n")),
                        null);
    }

    /** The action that the user should take. */
    String action() {
        return action;
    }
}
