package dev.sluice.internal.config.caller;

import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.internal.match.caller.SubjectSources;
import dev.sluice.limits.SubjectSource;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks the values that a file writes for a subject: an address or a country must be spelt as in the keys of callers.
 */
public record SubjectValues(SubjectSources sources) {

    private static final String STAR = "*";
    private static final Pattern NETWORK = Pattern.compile("(\\d{1,3}\\.){3}\\d{1,3}/(8|16|24)");

    /** Restricts a shape to values that a subject with this chain can yield. */
    public Shape<String> restrict(List<SubjectSource> chain, Shape<String> shape) {
        if (isAll(chain, "ip")) {
            return (value, findings) -> {
                String text = shape.read(value, findings);
                return text != null && value instanceof Text written && isPossibleAddress(written, findings)
                        ? text
                        : null;
            };
        }
        return isAll(chain, "country")
                ? (value, findings) ->
                        value instanceof Text text && text.content().contains(STAR)
                                ? shape.read(value, findings)
                                : ScheduleShapes.COUNTRY.read(value, findings)
                : shape;
    }

    /** The key of a client in a table; {@code null} if no caller can have it. */
    public @Nullable String keyOf(List<SubjectSource> chain, String written) {
        if (isAll(chain, "ip")) {
            String known = sources.knownAddress(written);
            return written.contains("/") && !written.equals(known) ? null : known;
        }
        boolean isSecret = chain.stream().anyMatch(SubjectSource::isSecret);
        return SubjectKey.ofNamed(isSecret ? SubjectKey.of(chain, written) : written);
    }

    private boolean isAll(List<SubjectSource> chain, String source) {
        return !chain.isEmpty()
                && !sources.registered().containsKey(source)
                && chain.stream()
                        .allMatch(one -> SubjectSource.plainName(one.name()).equals(source));
    }

    private boolean isPossibleAddress(Text text, Findings findings) {
        String known = sources.knownAddress(text.content());
        if (text.content().contains(STAR) || text.content().equals(known)) {
            return true;
        }
        findings.add(
                ProblemCode.NOT_AN_ADDRESS,
                text.position(),
                text.quoted()
                        + (known == null || text.isSubstituted()
                                ? " is not an address; write one such as 192.0.2.7 or 2001:db8::/64, or use a star "
                                        + "for several: 192.0.2.*"
                                : " matches no caller, since the key of this address is " + known + "; write that"
                                        + orStarred(text.content())));
        return false;
    }

    /** Suggests a star for a network of /8, /16 or /24, since clients and conditions compare addresses as text. */
    private static String orStarred(String network) {
        Matcher matcher = NETWORK.matcher(network);
        int numbers = matcher.matches() ? Integer.parseInt(matcher.group(2)) / 8 : 0;
        String[] all = network.split("\\.", 4);
        return numbers == 0
                ? ""
                : ", or use a star for several: " + String.join(".", Arrays.copyOf(all, numbers)) + ".*";
    }
}
