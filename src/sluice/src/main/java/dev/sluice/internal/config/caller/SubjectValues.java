package dev.sluice.internal.config.caller;

import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.match.caller.AddressRange;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.internal.match.caller.SubjectSources;
import dev.sluice.limits.SubjectSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the subject values in a file. A country must have the same spelling as in callers' keys. An address or a
 * network must match at least one possible caller.
 */
public record SubjectValues(SubjectSources sources) {

    private static final String STAR = "*";

    /** Restricts a shape to the possible values of a subject with this chain. */
    public Shape<String> restrict(List<SubjectSource> chain, Shape<String> shape) {
        if (isAll(chain, "ip")) {
            return (value, findings) -> shape.read(value, findings) != null && value instanceof Text written
                    ? address(written, findings)
                    : null;
        }
        return isAll(chain, "country")
                ? (value, findings) ->
                        value instanceof Text text && text.content().contains(STAR)
                                ? shape.read(value, findings)
                                : ScheduleShapes.COUNTRY.read(value, findings)
                : shape;
    }

    /** Returns the counter key of a client in a table; {@code null} if no caller can have the client's value. */
    public @Nullable String keyOf(List<SubjectSource> chain, String written) {
        if (isAll(chain, "ip")) {
            String known = sources.knownAddress(written);
            return written.contains("/") && !written.equals(known) ? null : known;
        }
        boolean isSecret = chain.stream().anyMatch(SubjectSource::isSecret);
        return SubjectKey.ofNamed(isSecret ? SubjectKey.of(chain, written) : written);
    }

    /** Whether a value is a network. A network represents several callers. */
    public boolean isNetwork(List<SubjectSource> chain, String value) {
        return isAll(chain, "ip") && value.contains("/") && !value.equals(sources.knownAddress(value));
    }

    /** Whether the values of this chain are callers' addresses. */
    public boolean areAddresses(List<SubjectSource> chain) {
        return isAll(chain, "ip");
    }

    private boolean isAll(List<SubjectSource> chain, String source) {
        return !chain.isEmpty()
                && !sources.registered().containsKey(source)
                && chain.stream()
                        .allMatch(one -> SubjectSource.plainName(one.name()).equals(source));
    }

    /**
     * Returns the canonical text of an address or a network. A value with a star is returned unchanged. If no caller
     * can have the address, reports an error and returns {@code null}.
     */
    private @Nullable String address(Text text, Findings findings) {
        String written = text.content();
        String known = sources.knownAddress(written);
        if (written.contains(STAR) || written.equals(known)) {
            return written;
        }
        if (known == null && !written.contains("/")) {
            return findings.refuse(
                    ProblemCode.NOT_AN_ADDRESS,
                    text,
                    " is not an address; write one such as 192.0.2.7 or 2001:db8::/64, or a network, such as "
                            + "192.0.2.0/24");
        }
        AddressRange range = CallersSection.range(text, findings);
        if (range == null || known == null) {
            return null;
        }
        // The key of an IPv6 caller is a network. A single address within that network would match no key, so we reject
        // it.
        AddressRange ofKey = AddressRange.parse(known);
        if (range.contains(ofKey)) {
            return range.toString();
        }
        return findings.refuse(
                ProblemCode.NOT_AN_ADDRESS,
                text,
                text.isSubstituted()
                        ? " matches no caller; write one such as 192.0.2.7 or 2001:db8::/64"
                        : " matches no caller, because the key of this address is " + known + "; write this key");
    }
}
