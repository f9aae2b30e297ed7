package dev.sluice.internal.instance.report;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** A line of words, separated by spaces. Special characters in words are percent-encoded. Not thread-safe. */
final class ReportLine {

    /** The placeholder for the empty word. */
    private static final String EMPTY = "~";

    private final StringBuilder line;

    ReportLine(String first) {
        this.line = new StringBuilder(first);
    }

    ReportLine add(String word) {
        String escaped = URLEncoder.encode(word, StandardCharsets.UTF_8); // the encoded text never contains a tilde
        line.append(' ').append(escaped.isEmpty() ? EMPTY : escaped);
        return this;
    }

    ReportLine addAll(Collection<String> words) {
        words.forEach(this::add);
        return this;
    }

    String line() {
        return line.append('\n').toString();
    }

    /** Splits a line into its words. */
    static List<String> of(String line) {
        List<String> words = new ArrayList<>();
        Arrays.stream(line.split(" "))
                .map(word -> word.equals(EMPTY) ? "" : URLDecoder.decode(word, StandardCharsets.UTF_8))
                .forEach(words::add);
        return words;
    }
}
