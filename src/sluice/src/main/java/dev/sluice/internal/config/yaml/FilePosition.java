package dev.sluice.internal.config.yaml;

/**
 * A position in a file.
 *
 * @param file the name of the file; empty if the position is in the file being read
 * @param line the line number, starting at 1; 0 for the whole file
 * @param column the column number, starting at 1; 0 for the whole file
 * @param path the path of keys, for example {@code endpoints[2].tiers[0].period}; empty for the whole file
 */
public record FilePosition(String file, int line, int column, String path) {

    public static final FilePosition WHOLE_FILE = new FilePosition("", 0, 0, "");

    public FilePosition at(int line, int column) {
        return at(file, line, column);
    }

    /** Returns the same path at a position in a different file. */
    public FilePosition at(String file, int line, int column) {
        return new FilePosition(file, line, column, path);
    }

    /** Returns the position of a key in the map at this position. */
    public FilePosition key(String key) {
        String shown = Quote.plain(key);
        return below(path.isEmpty() ? shown : path + '.' + shown);
    }

    /** Returns the position of an item in the list at this position. */
    public FilePosition item(int index) {
        return below(path + '[' + index + ']');
    }

    private FilePosition below(String keys) {
        return new FilePosition(file, line, column, keys);
    }

    /**
     * Describes this position in a message about a second position, for example as {@code line 7}, or as
     * {@code shop.yml:7:3} if the two positions are in different files.
     */
    public String seenFrom(FilePosition other) {
        if (file.equals(other.file) && line > 0) {
            return "line " + line;
        }
        return line > 0 ? file + ':' + line + ':' + column : file;
    }
}
