package dev.sluice.cli.rehearse;

import dev.sluice.limits.SubjectSource;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Which headers of a log the limits may need: those that the file names, and those that limits read by default. Reading
 * the others, which are most of a line, would take half of the time.
 */
final class WantedHeaders {

    private static final List<String> USUAL =
            List.of("x-forwarded-for", "forwarded", "cf-ipcountry", "cookie", "x-org-id");
    /** Variables and escapes, with which a file can name a header without containing its name. */
    private static final List<String> INDIRECT_NAMES = List.of("${", "\\x", "\\u");

    private WantedHeaders() {}

    /** The predicate takes header names in lower case, with hyphens. */
    static Predicate<String> of(RehearsedFile file) {
        String text = plain(file.text());
        List<String> sources = file.limits().subjects().values().stream()
                .flatMap(Collection::stream)
                .map(SubjectSource::name)
                .map(WantedHeaders::plain)
                .toList();
        if (INDIRECT_NAMES.stream().anyMatch(text::contains)) {
            return header -> true;
        }
        return header -> USUAL.contains(header)
                || text.contains(header)
                || sources.stream().anyMatch(source -> source.contains(header));
    }

    private static String plain(String text) {
        return text.toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
