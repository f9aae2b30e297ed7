package dev.sluice.internal.config.value;

import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value.Text;
import java.time.DateTimeException;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** Parses time zone names such as {@code Europe/Paris}. */
public final class Zones {

    public static final ZoneId UTC = ZoneId.of("UTC");

    public static final Shape<ZoneId> ZONE =
            Shapes.text("a time zone", "Europe/Paris").then(Zones::zone);

    private Zones() {}

    private static @Nullable ZoneId zone(Text text, Findings findings) {
        try {
            return ZoneId.of(text.content());
        } catch (DateTimeException e) {
            String hint = Nearest.hint(text, ZoneId.getAvailableZoneIds(), "write one such as Europe/Paris");
            return findings.refuse(ProblemCode.NOT_A_TIME, text, " is not a time zone; " + hint);
        }
    }
}
