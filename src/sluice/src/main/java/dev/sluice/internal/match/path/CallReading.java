package dev.sluice.internal.match.path;

import dev.sluice.Call;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A call with one reading of its path and query. A reading is one of the ways in which servers might interpret them.
 * All sources use this reading, but the path itself is unchanged.
 *
 * @param segments the path segments in this reading
 * @param queryReading the number of the query reading
 * @param isWelcomeFile whether the path is a directory and the segments are those of its welcome file
 */
public record CallReading(Call sent, List<String> segments, int queryReading, boolean isWelcomeFile)
        implements ForwardingCall {

    /** Returns the call in each of its readings. Most calls have only one reading, which is the call itself. */
    public static List<Call> of(Call sent) {
        String other = sent.otherPath();
        Collection<String> ofPath = ofPath(sent, other);
        Collection<String> ofFiles = welcomeFiles(sent, other);
        int ofQuery = sent.queryReadings();
        if (ofPath.size() == 1 && ofFiles.isEmpty() && ofQuery == 1) {
            return List.of(sent);
        }
        List<Call> calls = new ArrayList<>((ofPath.size() + ofFiles.size()) * ofQuery);
        addAll(sent, ofPath, false, ofQuery, calls);
        addAll(sent, ofFiles, true, ofQuery, calls);
        return calls;
    }

    private static void addAll(
            Call sent, Collection<String> paths, boolean isWelcomeFile, int ofQuery, List<Call> calls) {
        for (String path : paths) {
            List<String> segments = PathReadings.split(path);
            for (int query = 0; query < ofQuery; query++) {
                calls.add(new CallReading(sent, segments, query, isWelcomeFile));
            }
        }
    }

    /**
     * Returns additional readings of a call to a directory. Each of them assumes that the server responds with one of
     * the directory's welcome files. Only patterns that {@linkplain PathPattern#namesFile name a file} match these
     * readings, because {@code /product/*} is not meant for {@code /product/}.
     *
     * @param other the call's {@link Call#otherPath}
     */
    public static Collection<String> welcomeFiles(Call sent, @Nullable String other) {
        boolean isPath = PathReadings.mayBeDirectory(sent.path());
        boolean isOther = other != null && PathReadings.mayBeDirectory(other);
        if (!isPath && !isOther) {
            return List.of();
        }
        Set<String> files = new LinkedHashSet<>();
        for (String path : isOther ? List.of(sent.path(), other) : List.of(sent.path())) {
            for (String directory : PathReadings.directories(path)) {
                for (String name : sent.welcomeFiles()) {
                    files.add(directory.endsWith("/") ? directory + name : directory + "/" + name);
                }
            }
        }
        return files;
    }

    private static Collection<String> ofPath(Call sent, @Nullable String other) {
        List<String> readings = PathReadings.of(sent.path());
        if (other == null) {
            return readings;
        }
        Set<String> all = new LinkedHashSet<>(readings);
        all.addAll(PathReadings.of(other));
        return all;
    }

    @Override
    public @Nullable String query(String name) {
        return sent.query(name, queryReading);
    }

    @Override
    public int queryReadings() {
        return 1;
    }

    @Override
    public @Nullable String query(String name, int reading) {
        return query(name);
    }
}
