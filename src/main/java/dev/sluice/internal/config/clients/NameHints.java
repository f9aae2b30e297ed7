package dev.sluice.internal.config.clients;

import dev.sluice.internal.config.shape.Nearest;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** What messages say of the names of plans and clients. */
public final class NameHints {

    /** What the name of a client may be. */
    public static final String CLIENT =
            "write 1 to 64 letters, digits, blanks or . _ - & ( ) / + ', beginning with a letter or a digit, and not "
                    + "other or everybody";

    /** What to do about a hash that was cut. */
    public static final String CUT =
            "so it counts as a key that is sent as it stands here; write the whole line that sluice hash prints";

    private NameHints() {}

    /** What to write in place of a plan that there is not. */
    public static String plan(String written, Collection<String> plans) {
        @Nullable String guess = Nearest.to(written, plans);
        return plans.isEmpty()
                ? "there are none; write plans: { pro: { multiply: 10 } }"
                : guess != null
                        ? "did you mean " + guess + "?"
                        : "known are "
                                + String.join(", ", plans.stream().sorted().toList());
    }
}
