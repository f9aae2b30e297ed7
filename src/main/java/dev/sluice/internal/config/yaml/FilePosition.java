package dev.sluice.internal.config.yaml;

/**
 * A position in a file.
 *
 * @param line counted from 1; 0 for the whole file
 * @param column counted from 1; 0 for the whole file
 * @param path the keys, for example {@code endpoints[2].tiers[0].period}; empty for the whole file
 */
public record FilePosition(int line, int column, String path) {

    public static final FilePosition WHOLE_FILE = new FilePosition(0, 0, "");

    public FilePosition at(int line, int column) {
        return new FilePosition(line, column, path);
    }

    /** The position of a key in this map. */
    public FilePosition key(String key) {
        String shown = Quote.plain(key);
        return new FilePosition(line, column, path.isEmpty() ? shown : path + '.' + shown);
    }

    /** The position of an item in this list. */
    FilePosition item(int index) {
        return new FilePosition(line, column, path + '[' + index + ']');
    }
}
