package dev.sluice.config;

/**
 * Where something stands in a file.
 *
 * @param line counted from 1; 0 for the whole file
 * @param column counted from 1; 0 for the whole file
 * @param path of keys, for example {@code endpoints[2].tiers[0].period}; empty for the whole file
 */
record Place(int line, int column, String path) {

    static final Place WHOLE_FILE = new Place(0, 0, "");

    Place at(int line, int column) {
        return new Place(line, column, path);
    }

    /** The path of a key below this one. */
    Place key(String key) {
        String shown = Quote.plain(key);
        return new Place(line, column, path.isEmpty() ? shown : path + '.' + shown);
    }

    /** The path of an item below this one. */
    Place item(int index) {
        return new Place(line, column, path + '[' + index + ']');
    }
}
