package dev.sluice.internal.config.yaml;

/**
 * A position in a file.
 *
 * @param file the name of the file if it differs from the file being read; otherwise empty
 * @param line the line number, starting at 1; 0 for the whole file
 * @param column the column number, starting at 1; 0 for the whole file
 * @param path the path of keys, for example {@code endpoints[2].tiers[0].period}; empty for the whole file
 */
public record FilePosition(String file, int line, int column, String path) {

    public static final FilePosition WHOLE_FILE = new FilePosition("", 0, 0, "");

    public FilePosition at(int line, int column) {
        return at(file, line, column);
    }

    /** Returns the same path at a position in another file. */
    public FilePosition at(String file, int line, int column) {
        return new FilePosition(file, line, column, path);
    }

    /** The position of a key in this map. */
    public FilePosition key(String key) {
        String shown = Quote.plain(key);
        return below(path.isEmpty() ? shown : path + '.' + shown);
    }

    /** The position of an item in this list. */
    public FilePosition item(int index) {
        return below(path + '[' + index + ']');
    }

    private FilePosition below(String keys) {
        return new FilePosition(file, line, column, keys);
    }

    /**
     * Describes this position in a message about another one: {@code line 7}, or {@code shop.yml:7:3} for another file.
     */
    public String seenFrom(FilePosition other) {
        if (file.equals(other.file) && line > 0) {
            return "line " + line;
        }
        return line > 0 ? file + ':' + line + ':' + column : file;
    }
}
