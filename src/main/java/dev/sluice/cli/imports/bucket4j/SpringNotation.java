package dev.sluice.cli.imports.bucket4j;

import dev.sluice.cli.imports.draft.Draft;
import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.cli.imports.source.ForeignSettings.Notation;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value.Text;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Spring's notation: {@code rate-limits}, {@code rateLimits} and {@code rate_limits} are the same key, and values may
 * have placeholders.
 */
final class SpringNotation implements Notation {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^{}:]*)(?::([^{}]*))?}");

    private final Draft draft;

    /** The draft gets a remark on each value that is the default of a placeholder. */
    SpringNotation(Draft draft) {
        this.draft = draft;
    }

    @Override
    public String key(String written) {
        return written.toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
    }

    @Override
    public @Nullable String value(Text text, Findings findings) {
        String value = text.content();
        Matcher placeholder = PLACEHOLDER.matcher(value);
        if (!placeholder.find()) {
            return value;
        }
        StringBuilder result = new StringBuilder();
        do {
            String otherwise = placeholder.group(2);
            if (otherwise == null) {
                return findings.refuse(
                        ProblemCode.VARIABLE,
                        text,
                        " has no default, so import cannot know its value; write it into a copy of the file");
            }
            placeholder.appendReplacement(result, Matcher.quoteReplacement(otherwise));
        } while (placeholder.find());
        String resolved = placeholder.appendTail(result).toString();
        draft.remark(
                Kind.DIFFERENT,
                text.position(),
                Quote.of(text.content()) + " is taken as its default, " + Quote.of(resolved));
        return resolved;
    }
}
