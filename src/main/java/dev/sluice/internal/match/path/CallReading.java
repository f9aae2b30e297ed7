package dev.sluice.internal.match.path;

import dev.sluice.Call;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A call with one reading of a path or query that can be read in several ways. All sources use this reading. The path
 * itself stays as it was sent.
 *
 * @param segments the segments of the path in this reading
 * @param queryReading the number of the query's reading
 */
public record CallReading(Call sent, List<String> segments, int queryReading) implements ForwardingCall {

    /** The call in each of its readings; nearly always only the call itself. */
    public static List<Call> of(Call sent) {
        Collection<String> ofPath = ofPath(sent);
        int ofQuery = sent.queryReadings();
        if (ofPath.size() == 1 && ofQuery == 1) {
            return List.of(sent);
        }
        List<Call> calls = new ArrayList<>(ofPath.size() * ofQuery);
        for (String path : ofPath) {
            List<String> segments = PathReadings.split(path);
            for (int query = 0; query < ofQuery; query++) {
                calls.add(new CallReading(sent, segments, query));
            }
        }
        return calls;
    }

    private static Collection<String> ofPath(Call sent) {
        List<String> readings = PathReadings.of(sent.path());
        String other = sent.otherPath();
        if (other == null) {
            return readings;
        }
        Set<String> all = new LinkedHashSet<>(readings);
        all.addAll(PathReadings.of(other));
        return all;
    }

    /**
     * Whether the pattern matches this reading. A call with a single reading matches whatever was found for its path.
     */
    public static boolean matches(Call call, PathPattern pattern, boolean caseSensitive) {
        return !(call instanceof CallReading reading) || pattern.matches(reading.segments, !caseSensitive);
    }

    /**
     * The value of the pattern's variable in this reading, or in the first reading of a call that matches; {@code null}
     * if none does.
     */
    public static @Nullable String capture(Call call, PathPattern pattern, String variable, boolean caseSensitive) {
        return call instanceof CallReading reading
                ? pattern.capture(variable, reading.segments, !caseSensitive)
                : pattern.capture(variable, call.path(), !caseSensitive);
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
