package dev.sluice.internal.config.clients;

import dev.sluice.internal.config.value.Nearest;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Hints in messages about plan names and client names. */
public final class NameHints {

    /** The description of a valid client name. */
    public static final String CLIENT =
            "write 1 to 64 letters, digits, spaces or . _ - & ( ) / + ', starting with a letter or a digit; other "
                    + "and everybody are reserved";

    /** The advice for a truncated hash. */
    public static final String CUT =
            "so it is treated as a key in plain text; write the whole line that sluice hash prints";

    private NameHints() {}

    /** Suggests a replacement for a plan that does not exist. */
    public static String plan(String written, Collection<String> plans) {
        @Nullable String guess = Nearest.to(written, plans);
        return plans.isEmpty()
                ? "the file has no plans; write plans: { pro: { multiply: 10 } }"
                : guess != null
                        ? "did you mean " + guess + "?"
                        : "the plans are "
                                + String.join(", ", plans.stream().sorted().toList());
    }
}
