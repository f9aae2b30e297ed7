package dev.sluice.cli.imports.draft;

import dev.sluice.internal.text.SafeText;
import java.util.List;

/** Comments in YAML, in lines that are not too long. */
final class YamlComment {

    private static final int WIDTH = 110;

    private YamlComment() {}

    static String of(String indent, String sentence) {
        StringBuilder comment = new StringBuilder();
        StringBuilder line = new StringBuilder(indent).append('#');
        for (String word : List.of(SafeText.of(sentence).split(" ", -1))) {
            if (line.length() + word.length() >= WIDTH && line.length() > indent.length() + 1) {
                comment.append(line).append('\n');
                line.setLength(0);
                line.append(indent).append("#  ");
            }
            line.append(' ').append(word);
        }
        return comment.append(line).append('\n').toString();
    }
}
